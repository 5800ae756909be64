import UIFusionKit

/// Stores its numbers, each after working for some time.
final class Slow: AsyncViewModel {
  enum Input: Codable, Sendable {
    case add(Int)
    /// Overlaps other Inputs.
    case later(Int)
  }

  enum Action: Sendable { case begin(Int), end, beginLater(Int), endLater(Int) }

  struct State: Codable, Equatable, Sendable {
    var items: [Int] = []
    var pending: Int?
    var late: [Int] = []
    var waiting: [Int] = []
  }

  var state = State()
  private let time: any TimeSource
  private let probe: Probe

  init(time: any TimeSource, probe: Probe) {
    self.time = time
    self.probe = probe
  }

  func policy(for input: Input) -> InputPolicy {
    if case .later = input { .overlapping } else { .inOrder }
  }

  func transform(_ input: Input) async -> [Action] {
    switch input {
    case .add(let number): [.begin(number), .end]
    case .later(let number): [.beginLater(number), .endLater(number)]
    }
  }

  func perform(_ action: Action) async throws {
    switch action {
    case .begin(let number):
      probe.expect(of: number)
      probe.all.began(number)
      state.pending = number
      try await time.sleep(for: .milliseconds(200))
    case .end:
      guard let number = state.pending else { return }
      state.items.append(number)
      state.pending = nil
      probe.all.done(number)
    case .beginLater(let number):
      probe.expect(of: number)
      probe.all.began(number)
      state.waiting.append(number)
      try await time.sleep(for: .milliseconds(120))
    case .endLater(let number):
      state.waiting.removeAll { $0 == number }
      state.late.append(number)
      probe.all.done(number)
    }
  }

  func handleError(_ error: SendableError) async {}

  func restored(_ interrupted: Interrupted) -> [Action] {
    probe.restored()
    guard !probe.all.planted.contains(.ignoredRestoring), !interrupted.isEmpty else { return [] }
    return [.end] + state.waiting.map { .endLater($0) }
  }
}
