import UIFusionKit

/// Every number that it was given, each after it has been at it for a while.
final class Slow: AsyncViewModel {
  enum Input: Codable, Sendable { case add(Int), nothing }
  enum Action: Sendable { case begin(Int), end }

  struct State: Codable, Equatable, Sendable {
    var items: [Int] = []
    var pending: Int?
  }

  var state = State()
  private let time: any TimeSource
  private let probe: Probe

  init(time: any TimeSource, probe: Probe) {
    self.time = time
    self.probe = probe
  }

  func transform(_ input: Input) async -> [Action] {
    switch input {
    case .add(let number): [.begin(number), .end]
    case .nothing: []
    }
  }

  func perform(_ action: Action) async throws {
    switch action {
    case .begin(let number):
      state.pending = number
      try await time.sleep(for: .milliseconds(200))
    case .end:
      if let pending = state.pending { state.items.append(pending) }
      state.pending = nil
    }
  }

  func handleError(_ error: SendableError) async {}

  func restored(_ interrupted: Interrupted) -> [Action] {
    probe.all.planted.contains(.ignoredRestoring) || interrupted.isEmpty ? [] : [.end]
  }
}
