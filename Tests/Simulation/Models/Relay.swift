import UIFusionKit

/// Stores its numbers after a `reduce` that suspends, and announces each by a Pulse.
final class Relay: AsyncReactor {
  enum Input: Codable, Sendable {
    case add(Int)
    /// Overlaps other Inputs.
    case later(Int)
  }

  enum Mutation: Sendable { case begin(Int), end, beginLater(Int), endLater(Int) }

  struct State: Codable, Equatable, Sendable {
    var items: [Int] = []
    var pending: Int?
    var late: [Int] = []
    var waiting: [Int] = []
    @Pulse var newest = 0
  }

  var currentState = State()
  private let time: any TimeSource
  private let probe: Probe

  init(time: any TimeSource, probe: Probe) {
    self.time = time
    self.probe = probe
  }

  func policy(for input: Input) -> InputPolicy {
    if case .later = input { .overlapping } else { .inOrder }
  }

  func reduce(_ input: Input) async -> Mutation { .end }

  func reduce(
    _ input: Input,
    send: nonisolated(nonsending) (_ mutation: Mutation) async -> Void
  ) async {
    let (number, first, last): (Int, Mutation, Mutation) =
      switch input {
      case .add(let number): (number, .begin(number), .end)
      case .later(let number): (number, .beginLater(number), .endLater(number))
      }
    probe.expect(of: number)
    probe.all.began(number)
    await send(first)
    try? await time.sleep(for: .milliseconds(90))
    await send(last)
    probe.all.done(number)
  }

  func mutate(_ state: State, mutation: Mutation) async -> State {
    var state = state
    switch mutation {
    case .begin(let number):
      state.pending = number
    case .end:
      guard let number = state.pending else { return state }
      state.items.append(number)
      state.pending = nil
      state.newest = number
    case .beginLater(let number):
      state.waiting.append(number)
    case .endLater(let number):
      state.waiting.removeAll { $0 == number }
      state.late.append(number)
      state.newest = number
    }
    return state
  }

  func restored(_ interrupted: Interrupted) -> [Mutation] {
    probe.restored()
    guard !probe.all.planted.contains(.ignoredRestoring), !interrupted.isEmpty else { return [] }
    return [.end] + currentState.waiting.map { .endLater($0) }
  }
}
