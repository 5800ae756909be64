import FusionSessions
import UIFusionKit

// View models whose work is recorded outside as it begins, and takes a second; their State is the sum of the
// numbers that they were sent.

private struct Reducing: ReducerViewModel {
  typealias Input = Int
  typealias State = Int
  enum Action: Sendable { case begin(Int), add(Int) }

  var state = 0
  let marks: Tally
  let time: any TimeSource

  func transform(_ input: Int) -> [Action] { [.begin(input)] }

  func reduce(state: inout Int, action: Action) -> [AsyncEffect<Action>] {
    switch action {
    case .begin(let number):
      return [
        .runAction { [marks, time] in
          marks.add("began \(number)")
          try await time.sleep(for: .seconds(1))
          return .add(number)
        }
      ]
    case .add(let number):
      state += number
      return []
    }
  }
}

private final class Sleeping: AsyncViewModel {
  typealias Input = Int
  typealias Action = Int
  typealias State = Int

  var state = 0
  private let marks: Tally
  private let time: any TimeSource

  init(_ marks: Tally, _ time: any TimeSource) {
    self.marks = marks
    self.time = time
  }

  func transform(_ input: Int) async -> [Int] { [input] }

  func perform(_ action: Int) async throws {
    marks.add("began \(action)")
    state += action
    try await time.sleep(for: .seconds(1))
  }

  func handleError(_ error: SendableError) async {}
}

private final class Reacting: AsyncReactor {
  typealias Input = Int
  typealias Mutation = Int
  typealias State = Int

  var currentState = 0
  private let marks: Tally
  private let time: any TimeSource

  init(_ marks: Tally, _ time: any TimeSource) {
    self.marks = marks
    self.time = time
  }

  func reduce(_ input: Int) async -> Int { input }

  func reduce(_ input: Int, send: nonisolated(nonsending) (Int) async -> Void) async {
    marks.add("began \(input)")
    await send(input)
    try? await time.sleep(for: .seconds(1))
  }

  func mutate(_ state: Int, mutation: Int) async -> Int { state + mutation }
}

/// Begins endless background work, and restarts it after an interruption.
private struct Listening: ReducerViewModel {
  typealias Input = Int
  typealias State = Int
  typealias Action = Int
  private enum EffectName { case listen }

  var state = 0
  let time: any TimeSource

  func transform(_ input: Int) -> [Int] { [input] }

  func restored(_ interrupted: Interrupted) -> [Int] { [0] }

  func reduce(state: inout Int, action: Int) -> [AsyncEffect<Int>] {
    state += action
    return [
      .run(id: EffectName.listen, background: true) { [time] _ in
        while true { try await time.sleep(for: .seconds(1_000)) }
      }
    ]
  }
}

extension HostedViewModel {
  static let listening = HostedViewModel(
    name: "listening",
    summary: "",
    read: readNumbers
  ) { start, opening in
    start.engine(opening) { Listening(time: opening.dependencies.time) }
  }

  static func reducing(_ marks: Tally) -> HostedViewModel {
    HostedViewModel(name: "reducing", summary: "", read: readNumbers) { start, opening in
      start.engine(opening) { Reducing(marks: marks, time: opening.dependencies.time) }
    }
  }

  static func sleeping(_ marks: Tally) -> HostedViewModel {
    HostedViewModel(name: "sleeping", summary: "", read: readNumbers) { start, opening in
      start.engine(opening) { Sleeping(marks, opening.dependencies.time) }
    }
  }

  static func reacting(_ marks: Tally) -> HostedViewModel {
    HostedViewModel(name: "reacting", summary: "", read: readNumbers) { start, opening in
      start.engine(opening) { Reacting(marks, opening.dependencies.time) }
    }
  }
}
