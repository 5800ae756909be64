import Foundation
import UIFusionKit

/// A view model that traps wherever it is asked to.
struct Trapping: ReducerViewModel {
  enum Input: Codable, Sendable {
    case increase
    case trap
    /// Recurses until the stack is used up.
    case recurse
    /// Sets an alarm whose action traps.
    case setAlarm(id: String)
    /// Sends another session an Input that traps.
    case send(to: String)
    /// Runs until the process ends; the view model traps when it is restored.
    case work
    /// Runs until the process ends.
    case idle
    /// Runs an effect that traps behind a suspension.
    case runEffect
    /// Traps as it is read.
    case unreadable(Unreadable)
  }

  enum Action: Codable, Equatable, Sendable {
    case increase, trap, recurse, setAlarm(String), send(String), work, idle, runEffect
  }

  struct State: Codable, Equatable, Sendable { var value = 0 }

  struct Unreadable: Codable, Sendable {
    let bytes: [UInt8]

    init(from decoder: any Decoder) throws {
      bytes = try decoder.singleValueContainer().decode([UInt8].self)
      // Not for values that the service makes up.
      if bytes == [7, 7] { _ = bytes[bytes.count] }
    }
  }

  var state = State()

  func transform(_ input: Input) -> [Action] {
    switch input {
    case .increase: [.increase]
    case .trap: [.trap]
    case .recurse: [.recurse]
    case .setAlarm(let id): [.setAlarm(id)]
    case .send(let session): [.send(session)]
    case .work: [.work]
    case .idle: [.idle]
    case .runEffect: [.runEffect]
    case .unreadable: []
    }
  }

  func reduce(state: inout State, action: Action) -> [AsyncEffect<Action>] {
    switch action {
    case .increase:
      // As if the next build had a fault.
      if ProcessInfo.processInfo.environment["TRAPPING_BUILD"] == "next" { trap() }
      state.value += 1
    case .trap: trap()
    case .recurse: state.value += depth(state.value)
    case .setAlarm(let id): return [.alarm(id: AlarmID(id), after: .milliseconds(1), .trap)]
    case .send(let session): return [.send(Input.trap, to: .id(session))]
    case .work, .idle:
      let name = action == .work ? "work" : "idle"
      return [.run(id: name) { _ in try await Task.sleep(for: .seconds(3_600)) }]
    case .runEffect:
      return [
        .run { _ in
          try await Task.sleep(for: .milliseconds(1))
          trap()
        }
      ]
    }
    return []
  }

  func restored(_ interrupted: Interrupted) -> [Action] {
    if interrupted.contains("work") { trap() }
    return []
  }
}

/// An id that Swift prints as its text.
private struct AlarmID: Hashable, Sendable, CustomStringConvertible {
  let description: String

  init(_ text: String) { description = text }
}

private func trap() {
  let numbers: [Int] = []
  _ = numbers[numbers.count]
}

private func depth(_ level: Int) -> Int { level < 0 ? 0 : 1 + depth(level + 1) * 2 }
