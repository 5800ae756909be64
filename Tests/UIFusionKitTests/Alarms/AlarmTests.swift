import Foundation
import Testing
import UIFusionTesting

@testable import UIFusionKit

struct `An alarm` {
  private let store = AsyncTestStore { _ in Kitchen() }

  private func at(_ seconds: Double) -> Date { Date(timeIntervalSince1970: seconds) }

  @Test func `rings once, at its time and not before`() async {
    await store.send(.set("tea", 180))
    await store.expectAlarms(["tea": at(180)])
    await store.advance(by: .milliseconds(179_999))
    #expect(store.state.rung == [])
    await store.advance(by: .milliseconds(1))
    await store.receive(.rang("tea")) { $0.rung = ["tea"] }
    await store.expectAlarms([:])
    await store.advance(by: .seconds(1_000))
    await store.finish()
  }

  @Test func `is replaced or cancelled by its id`() async {
    await store.send(.set("tea", 10))
    await store.send(.set("tea", 5))
    await store.expectAlarms(["tea": at(5)])
    await store.advance(by: .seconds(2))
    await store.send(.set("tea", 10))
    await store.send(.set("eggs", 1))
    await store.expectAlarms(["tea": at(12), "eggs": at(3)])
    await store.send(.cancel("eggs"))
    await store.send(.cancel("nothing"))
    await store.advance(by: .seconds(10))
    await store.receive(.rang("tea")) { $0.rung = ["tea"] }
    await store.finish()
  }

  @Test func `rings at a calendar date, or at once if the date is past`() async {
    let store = AsyncTestStore(clock: TestClock(date: at(1_000))) { _ in Kitchen() }
    await store.send(.setAt(at(1_004.5)))
    await store.advance(by: .seconds(4.5))
    await store.receive(.rang("at")) { $0.rung = ["at"] }
    await store.send(.setAt(at(5)))
    await store.receive(.rang("at")) { $0.rung = ["at", "at"] }
    await store.send(.setAt(.distantFuture))
    await store.expectAlarms(["at": .distantFuture])
    await store.finish()
  }

  @Test func `rings in order of time, then of the bytes of its name`() async {
    for name in ["b", "ä", "B", "a\u{308}"] { await store.send(.set(name, 5)) }
    await store.send(.set("z", 4))
    await store.advance(by: .seconds(5))
    for (count, name) in ["z", "B", "a\u{308}", "b", "ä"].enumerated() {
      await store.receive(.rang(name)) { $0.rung.append(name) }
      #expect(store.state.rung.count == count + 1)
    }
    await store.finish()
  }

  @Test func `beyond the limit rolls back the whole turn`() async {
    await store.send(.many(1_000)) { $0.rung = ["many"] }
    await store.send(.set("one more", 5))
    await store.send(.set("5", 5))
    await store.send(.many(1_001))
    #expect(store.state.rung == ["many"])
    store.isExhaustive = false
    await store.advance(by: .seconds(9))
    await store.finish()
    // This alarm replaced another, so it counted once.
    #expect(store.state.rung == ["many", "5"])
  }

  @Test func `frees the bytes of the alarm that it replaces`() throws {
    let book = AlarmBook()
    let action = [UInt8](repeating: 0x78, count: AlarmBook.byteLimit / 2 - 1)
    func set(_ names: String...) throws {
      try book.check(
        names.map { name in
          let name = AlarmName(name)
          return (name, Alarm(name, at: 0, json: action))
        }
      )
    }
    book.set(Alarm(AlarmName("a"), at: 0, json: action))
    try set("a", "b")
    #expect(throws: InvalidState.self) { try set("b", "c") }
  }

  @Test func `frees its bytes when it is cancelled`() throws {
    let book = AlarmBook()
    let action = [UInt8](repeating: 0x78, count: AlarmBook.byteLimit / 2 - 1)
    let (a, b, c) = (AlarmName("a"), AlarmName("b"), AlarmName("c"))
    book.set(Alarm(a, at: 0, json: action))
    book.cancel(a)
    book.set(Alarm(b, at: 0, json: action))
    try book.check([(c, Alarm(c, at: 0, json: action))])
  }

  @Test func `may become smaller or be cancelled in a book beyond the limit`() throws {
    let action = [UInt8](repeating: 0x78, count: AlarmBook.byteLimit)
    let (a, b) = (AlarmName("a"), AlarmName("b"))
    let book = AlarmBook([Alarm(a, at: 0, json: action), Alarm(b, at: 0, json: action)])
    try book.check([(a, Alarm(a, at: 0, json: [0x78]))])
    try book.check([(a, nil)])
    #expect(throws: InvalidState.self) {
      try book.check([(a, Alarm(a, at: 0, json: action + [0x78]))])
    }
  }

  @Test func `is not that of a child whose member's name only begins alike`() {
    let names = ["pot", "pot/tea", "pots/tea", "pot2/tea", "a/pot/tea"].map(AlarmName.init)
    let book = AlarmBook(names.map { Alarm($0, at: 0, json: []) })
    #expect(book.names(within: "pot") == [AlarmName("pot/tea")])
  }

  @Test func `whose id is too long for a store rolls back the whole turn`() async {
    await store.send(.set(String(repeating: "a", count: 1_025), 5))
    await store.expectAlarms([:])
    let longest = String(repeating: "a", count: 1_024)
    await store.send(.set(longest, 5))
    await store.advance(by: .seconds(5))
    await store.receive(.rang(longest)) { $0.rung = [longest] }
    await store.finish()
  }

  @Test func `that a running group sets beyond the limit fails as an effect`() async {
    await store.send(.late(501))
    store.isExhaustive = false
    await store.advance(by: .seconds(3))
    await store.skip()
    #expect(store.state.rung == ["many", "error"])
  }

  @Test func `is released when its store is closed`() async {
    let clock = TestClock()
    let store = Store(clock.dependencies) { _ in Kitchen() }
    store.send(.set("tea", 5))
    await clock.idle()
    #expect(clock.sleepers == 1)
    store.close()
    await clock.idle()
    #expect(clock.sleepers == 0)
  }

  @Test func `of a child rings in the child, and is cancelled when the child leaves`() async {
    await store.send(.open) { $0.pots = [Pot.State(id: 1)] }
    await store.send(.set("tea", 6))
    await store.send(.pot(1, .cook))
    await store.expectAlarms(["pots[1]/tea": at(5), "tea": at(6)])
    await store.advance(by: .seconds(5))
    await store.receive(.pot(1, .ready)) { $0.pots[0].isReady = true }
    await store.send(.pot(1, .cook))
    await store.send(.close) { $0.pots = [] }
    await store.expectAlarms(["tea": at(6)])
    await store.send(.open) { $0.pots = [Pot.State(id: 1)] }
    await store.advance(by: .seconds(100))
    await store.receive(.rang("tea")) { $0.rung = ["tea"] }
    await store.finish()
  }

  @Test func `survives a restart, and a child's is cancelled when the child leaves`() async throws {
    let store = try AsyncTestStore(
      restoring: Kitchen.State(pots: [Pot.State(id: 1), Pot.State(id: 2)]),
      alarms: [
        "tea": (at(7), .rang("tea")), "pots[1]/tea": (at(5), .pot(1, .ready)),
        "pots[3]/tea": (at(6), .pot(3, .ready)),
      ]
    ) { _ in Kitchen() }
    await store.send(.close) { $0.pots = [] }
    // The State has no pot 3: its alarm rings, and changes nothing.
    await store.expectAlarms(["tea": at(7), "pots[3]/tea": at(6)])
    await store.advance(by: .seconds(7))
    await store.receive(.pot(3, .ready))
    await store.receive(.rang("tea")) { $0.rung = ["tea"] }
    await store.finish()
  }

  @Test func `that is still set and not expected at a test's end is an issue`() async {
    await store.send(.set("tea", 180))
    await withKnownIssue {
      await store.finish()
    } matching: {
      $0.description.contains("tea at 1970-01-01T00:03:00.000Z")
    }
  }

  @Test func `that was moved after it was expected is an issue at a test's end`() async {
    await store.send(.set("tea", 180))
    await store.expectAlarms(["tea": at(180)])
    await store.send(.set("tea", 200))
    await withKnownIssue {
      await store.finish()
    } matching: {
      $0.description.contains("tea at 1970-01-01T00:03:20.000Z")
    }
  }
}

// MARK: - The other patterns

private enum Step: Codable, Equatable, Sendable { case set, cancel, rang, setThenFail }

private struct Plain: ViewModelProtocol, AlarmSetting {
  typealias Input = Step
  var state = 0
  let alarms = Alarms<Step>()
  func transform(_ input: Step) -> [Step] { [input] }
  mutating func perform(_ action: Step) {
    switch action {
    case .set: alarms.set("tea", after: .seconds(5), .rang)
    case .cancel: alarms.cancel("tea")
    case .rang: state += 1
    case .setThenFail: for number in 0...1_000 { alarms.set(number, after: .seconds(1), .rang) }
    }
    if action == .setThenFail { state = 99 }
  }
}

private final class Waiting: AsyncViewModel, AlarmSetting {
  typealias Input = Step
  var state = 0
  let alarms = Alarms<Step>()
  let time: any TimeSource
  init(time: any TimeSource) { self.time = time }
  func transform(_ input: Step) async -> [Step] { [input] }
  func perform(_ action: Step) async throws {
    switch action {
    case .set: alarms.set("tea", after: .seconds(5), .rang)
    case .cancel: alarms.cancel("tea")
    case .rang:
      state += 1
      try await time.sleep(for: .seconds(1))
      state += 10
    case .setThenFail:
      state = 99
      for number in 0...1_000 { alarms.set(number, after: .seconds(1), .rang) }
    }
  }
  func handleError(_ error: SendableError) async {}
}

private final class Reacting: AsyncReactor, AlarmSetting {
  typealias Input = Step
  typealias Action = Step
  typealias Mutation = Step
  var currentState = 0
  let alarms = Alarms<Step>()
  func reduce(_ input: Step) async -> Step {
    switch input {
    case .set: alarms.set("tea", after: .seconds(5), .rang)
    case .cancel: alarms.cancel("tea")
    case .rang: break
    case .setThenFail: for number in 0...1_000 { alarms.set(number, after: .seconds(1), .rang) }
    }
    return input
  }
  func mutate(_ state: Int, mutation: Step) async -> Int {
    mutation == .rang ? state + 1 : mutation == .setThenFail ? 99 : state
  }
}

struct `An alarm in the other patterns` {
  @Test func `rings in a synchronous view model`() async {
    let store = AsyncTestStore { _ in Plain() }
    await store.send(.set)
    await store.expectAlarms(["tea": Date(timeIntervalSince1970: 5)])
    await store.advance(by: .seconds(5))
    await store.receive(.rang) { $0 = 1 }
    await store.send(.set)
    await store.send(.cancel)
    await store.send(.setThenFail)
    await store.finish()
    #expect(store.state == 1)
  }

  @Test func `rings in an asynchronous view model, where it may suspend`() async {
    let store = AsyncTestStore { Waiting(time: $0.time) }
    await store.send(.set)
    await store.advance(by: .seconds(5))
    await store.receive(.rang) { $0 = 1 }
    await store.expectAlarms([:])
    await store.advance(by: .seconds(1))
    await store.change { $0 = 11 }
    await store.send(.set)
    await store.send(.cancel)
    await store.send(.setThenFail)
    await store.finish()
    #expect(store.state == 11)
  }

  @Test func `rings in a reactor`() async {
    let store = AsyncTestStore { _ in Reacting() }
    await store.send(.set)
    await store.advance(by: .seconds(5))
    await store.receive(.rang) { $0 = 1 }
    await store.send(.set)
    await store.send(.cancel)
    await store.finish()
  }
}
