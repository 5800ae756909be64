public import UIFusionKit

/// A stub of a reactor that records Inputs, and shows the States that a test sets.
///
/// Use a stub to test code that is bound to a reactor. ``test(input:)`` runs the real reactor.
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

  /// Whether ``send(_:)`` runs the real reactor; false by default, when it only records.
  public var isRunning = false

  /// Creates a stub of a reactor, in the reactor's current State.
  public init(reactor: Reactor) {
    self.reactor = reactor
  }

  /// The shown State; set it to show another.
  public var state: Reactor.State {
    get { reactor.currentState }
    set {
      reactor.currentState = newValue
      states.append(newValue)
    }
  }

  /// Records an Input, and runs the real reactor if ``isRunning`` is set.
  nonisolated(nonsending) public func send(_ input: Reactor.Input) async {
    inputs.append(input)
    if isRunning { await run(input) }
  }

  /// Runs the real reactor on an Input, and returns the State after it.
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
