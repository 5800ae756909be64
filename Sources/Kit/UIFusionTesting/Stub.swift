public import UIFusionKit

/// Stands in for a reactor: records the Inputs that it is sent, and shows the States that it is told to.
///
/// What is bound to a reactor can so be tested without one. ``test(input:)`` asks the real reactor.
///
/// ```swift
/// let stub = Stub(reactor: CounterReactor())
/// #expect(await stub.test(input: .increment).count == 1)
/// ```
public final class Stub<Reactor: AsyncReactor> {
  private let reactor: Reactor

  /// The Inputs that were sent, in order.
  public private(set) var inputs: [Reactor.Input] = []

  /// The States that were shown after the first, in order.
  public private(set) var states: [Reactor.State] = []

  /// Whether ``send(_:)`` asks the real reactor; it only records unless this is set.
  public var isRunning = false

  /// Stands in for a reactor, in the State that it has.
  public init(reactor: Reactor) {
    self.reactor = reactor
  }

  /// The State that is shown; setting it forces it.
  public var state: Reactor.State {
    get { reactor.currentState }
    set {
      reactor.currentState = newValue
      states.append(newValue)
    }
  }

  /// Takes note of an Input, and hands it to the reactor if that is to run.
  nonisolated(nonsending) public func send(_ input: Reactor.Input) async {
    inputs.append(input)
    if isRunning { await run(input) }
  }

  /// Hands an Input to the real reactor, and returns the State that it leads to.
  @discardableResult
  nonisolated(nonsending) public func test(input: Reactor.Input) async -> Reactor.State {
    inputs.append(input)
    await run(input)
    return state
  }

  nonisolated(nonsending) private func run(_ input: Reactor.Input) async {
    await reactor.reduce(input) { mutation in
      state = await reactor.mutate(reactor.currentState, mutation: mutation)
    }
  }
}

@available(*, unavailable)
extension Stub: Sendable {}
