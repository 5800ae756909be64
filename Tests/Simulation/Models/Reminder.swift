import FoundationEssentials
import UIFusionKit

/// Sets an alarm for each number to add; for a number to cancel, sets none and cancels the last one set.
struct Reminder: ReducerViewModel {
  enum Input: Codable, Sendable { case add(Int), cancel(Int) }
  enum Action: Codable, Sendable { case add(Int), cancel(Int), ring(Int, due: Date) }

  struct State: Codable, Equatable, Sendable {
    var items: [Int] = []
    var rung: [Int] = []
    var cancelled: [Int] = []
  }

  var state = State()
  let date: @Sendable () -> Date
  let probe: Probe

  func transform(_ input: Input) -> [Action] {
    switch input {
    case .add(let number): [.add(number)]
    case .cancel(let number): [.cancel(number)]
    }
  }

  func reduce(state: inout State, action: Action) -> [AsyncEffect<Action>] {
    switch action {
    case .add(let number):
      state.items.append(number)
      // Many alarms at the same time, and some while the session sleeps.
      let due = date().addingTimeInterval(Double(number % 5) * (number % 3 == 0 ? 1.4 : 0.2))
      return [.alarm(id: number, at: due, .ring(number, due: due))]
    case .cancel(let number):
      state.items.append(number)
      state.cancelled.append(number)
      let isSet = { [state] number in
        !state.rung.contains(number) && !state.cancelled.contains(number)
      }
      guard let last = state.items.last(where: isSet) else { return [] }
      state.cancelled.append(last)
      return [.cancelAlarm(id: last)]
    case .ring(let number, let due):
      if date() < due { probe.all.failed("the alarm \(number) rings before its time") }
      if state.cancelled.contains(number) { probe.all.failed("the alarm \(number) was cancelled") }
      if state.rung.contains(number) { probe.all.failed("the alarm \(number) rings twice") }
      state.rung.append(number)
      return []
    }
  }

  func restored(_ interrupted: Interrupted) -> [Action] {
    probe.restored()
    return []
  }
}
