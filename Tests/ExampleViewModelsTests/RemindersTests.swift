import Foundation
import Testing
import UIFusionKit
import UIFusionTesting

@testable import FusionExampleViewModels

struct `Reminders` {
  private typealias Reminder = RemindersViewModel.Reminder
  private let store = AsyncTestStore { RemindersViewModel(date: $0.date) }

  private func at(_ seconds: Double) -> Date { Date(timeIntervalSince1970: seconds) }

  @Test func `for tomorrow ring after a day`() async {
    let milk = Reminder(id: 1, text: "Milk", due: at(86_400))
    await store.send(.tomorrow(text: "Milk")) { ($0.reminders, $0.count) = ([milk], 1) }
    await store.expectAlarms(["1": at(86_400)])
    await store.advance(by: .seconds(86_400))
    await store.receive(.ring(id: 1)) { $0.reminders[0].isDue = true }
    await store.send(.dismiss(id: 1)) { $0.reminders = [] }
    await store.finish()
  }

  @Test(arguments: [nil, 3_600.0])
  func `ring at their date, or without one after a day`(due: Double?) async {
    let milk = Reminder(id: 1, text: "Milk", due: at(due ?? 86_400))
    await store.send(.remind(text: "Milk", due: due.map(at))) {
      ($0.reminders, $0.count) = ([milk], 1)
    }
    await store.expectAlarms(["1": milk.due])
    await store.advance(by: .seconds(due ?? 86_400))
    await store.receive(.ring(id: 1)) { $0.reminders[0].isDue = true }
    await store.finish()
  }

  @Test func `are passed on to another session, and come back if it does not exist`() async {
    let milk = Reminder(id: 1, text: "Milk", due: at(86_400))
    await store.send(.tomorrow(text: "Milk")) { ($0.reminders, $0.count) = ([milk], 1) }
    await store.send(.pass(id: 1, to: "b")) { $0.reminders = [] }
    await store.expectSent(
      RemindersViewModel.Input.soon(text: "Milk"),
      to: .id("b"),
      isRefused: true
    )
    let back = Reminder(id: 2, text: "Milk", due: at(10))
    await store.receive(.remind(text: "Milk", due: at(10))) {
      ($0.reminders, $0.count) = ([back], 2)
    }
    await store.send(.pass(id: 2, to: "c")) { $0.reminders = [] }
    await store.expectSent(RemindersViewModel.Input.soon(text: "Milk"), to: .id("c"))
    await store.finish()
  }

  @Test func `that are dismissed do not ring`() async {
    let tea = Reminder(id: 1, text: "Tea", due: at(10))
    await store.send(.soon(text: "Tea")) { ($0.reminders, $0.count) = ([tea], 1) }
    await store.send(.dismiss(id: 1)) { $0.reminders = [] }
    await store.expectAlarms([:])
    await store.advance(by: .seconds(100))
    await store.finish()
  }
}
