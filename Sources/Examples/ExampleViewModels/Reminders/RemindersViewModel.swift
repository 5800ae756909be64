package import FoundationEssentials
package import UIFusionKit

/// Reminders (the reducing pattern, with alarms): they come whatever happens to the process until then.
package struct RemindersViewModel: ReducerViewModel {
  package var state = State()
  private let date: @Sendable () -> Date

  package init(date: @escaping @Sendable () -> Date) {
    self.date = date
  }

  package struct Reminder: Codable, Equatable, Sendable {
    package var id: Int
    package var text: String
    package var due: Date
    package var isDue = false
  }

  /// The state that clients see.
  package struct State: Codable, Equatable, Sendable {
    package var reminders: [Reminder] = []
    /// The number of reminders so far, and the id of the newest.
    package var count = 0
  }

  /// The inputs that clients send.
  package enum Input: Codable, Equatable, Sendable {
    /// Sets a reminder for a date, or else for tomorrow at this time.
    case remind(text: String, due: Date? = nil)
    case tomorrow(text: String), soon(text: String), dismiss(id: Int)
    /// Passes a reminder on to another session.
    case pass(id: Int, to: String)
  }

  /// The actions that inputs and alarms lead to.
  package enum Action: Codable, Equatable, Sendable {
    /// Without a date, as an earlier build has stored it, the reminder is due at once.
    case remind(text: String, due: Date?), ring(id: Int), dismiss(id: Int)
    /// Passes a reminder on; if it is refused, it comes back, due at a date.
    case pass(id: Int, to: String, back: Date?)
  }

  package func transform(_ input: Input) -> [Action] {
    switch input {
    // The date is part of the action: so `reduce` stays pure, and replaying the action gives the same reminder.
    case .remind(let text, let due): [.remind(text: text, due: due ?? date(in: 86_400))]
    case .tomorrow(let text): [.remind(text: text, due: date(in: 86_400))]
    case .soon(let text): [.remind(text: text, due: date(in: 10))]
    case .dismiss(let id): [.dismiss(id: id)]
    case .pass(let id, let other): [.pass(id: id, to: other, back: date(in: 10))]
    }
  }

  private func date(in seconds: Double) -> Date { date().addingTimeInterval(seconds) }

  package func reduce(state: inout State, action: Action) -> [AsyncEffect<Action>] {
    switch action {
    case .remind(let text, let date):
      state.count += 1
      let due = date ?? Date(timeIntervalSince1970: 0)
      state.reminders.append(Reminder(id: state.count, text: text, due: due))
      return [.alarm(id: state.count, at: due, .ring(id: state.count))]
    case .ring(let id):
      guard let index = state.reminders.firstIndex(where: { $0.id == id }) else { break }
      state.reminders[index].isDue = true
    case .dismiss(let id):
      state.reminders.removeAll { $0.id == id }
      return [.cancelAlarm(id: id)]
    case .pass(let id, let other, let date):
      guard let index = state.reminders.firstIndex(where: { $0.id == id }) else { break }
      let text = state.reminders.remove(at: index).text
      // If there is no such session, the message is refused and the reminder comes back.
      let back = Action.remind(text: text, due: date)
      return [
        .cancelAlarm(id: id), .send(Input.soon(text: text), to: .id(other), ifRefused: back),
      ]
    }
    return []
  }
}
