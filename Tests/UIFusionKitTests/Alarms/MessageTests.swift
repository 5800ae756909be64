import Testing
import UIFusionTesting

@testable import UIFusionKit

/// Pays other sessions, and gets refused payments back.
private struct Purse: ReducerViewModel {
  enum Input: Codable, Equatable, Sendable { case pay(Int, to: String), give(Int), many(Int) }
  enum Action: Codable, Equatable, Sendable { case input(Input), back(Int) }

  var state = 100

  func transform(_ input: Input) -> [Action] { [.input(input)] }

  func reduce(state: inout Int, action: Action) -> [AsyncEffect<Action>] {
    switch action {
    case .input(.pay(let amount, let other)):
      state -= amount
      return [.send(Input.give(amount), to: .id(other), ifRefused: .back(amount))]
    case .input(.give(let amount)), .back(let amount): state += amount
    case .input(.many(let count)):
      state = 0
      return (0..<count).map { .send(Input.give($0), to: .id("b")) }
    }
    return []
  }
}

/// Sends a message to another session, in functions that may suspend.
private final class Teller: AsyncViewModel, AlarmSetting {
  enum Input: Equatable, Sendable { case tell }
  enum Action: Codable, Equatable, Sendable { case tell, refused }

  var state = ""
  let alarms = Alarms<Action>()

  func transform(_ input: Input) async -> [Action] { [.tell] }

  func perform(_ action: Action) async throws {
    switch action {
    case .tell:
      alarms.send("news", to: .named("b", of: "teller", shared: true), ifRefused: .refused)
    case .refused: state = InputSender.refusal ?? "refused"
    }
  }

  func handleError(_ error: SendableError) async {}
}

struct `A message in a test` {
  private let store = AsyncTestStore(viewModel: Purse())

  @Test func `is expected by its receiver, in the order of sending`() async {
    await store.send(.pay(5, to: "b")) { $0 = 95 }
    await store.send(.pay(7, to: "c")) { $0 = 88 }
    await store.send(.pay(6, to: "b")) { $0 = 82 }
    await store.expectSent(Purse.Input.give(5), to: .id("b"))
    await store.expectSent(Purse.Input.give(6), to: .id("b"))
    await store.expectSent(Purse.Input.give(7), to: .id("c"))
    await store.finish()
  }

  @Test func `that is refused leads to the action given for a refusal`() async {
    await store.send(.pay(5, to: "b")) { $0 = 95 }
    await store.expectSent(Purse.Input.give(5), to: .id("b"), isRefused: true)
    await store.receive(.back(5)) { $0 = 100 }
    await store.finish()
  }

  @Test func `that is refused tells the action why, as far as that is known`() async {
    for reason in ["The house is full.", " ", String(repeating: "긴 ", count: 99), nil] {
      let store = AsyncTestStore(viewModel: Teller())
      await store.send(.tell)
      let teller = SessionAddress.named("b", of: "teller", shared: true)
      await store.expectSent("news", to: teller, isRefused: reason == nil, because: reason)
      await store.receive(.refused) { $0 = reason ?? "refused" }
      await store.finish()
    }
    #expect(InputSender.refusal == nil)
  }

  @Test func `that is refused tells only its own action why`() {
    let seen = InputSender.$refusal.withValue("The house is full.") {
      InputOrigin.within(nil) { InputSender.refusal }
    }
    #expect(seen == nil)
  }

  @Test func `that is refused keeps the beginning of a long reason`() throws {
    let message = Message(7, to: .id("b"), [], ifRefused: [0])
    for letter in ["why ", "안", "e\u{301}", "👨‍👩‍👧‍👦"] {
      let long = String(repeating: letter, count: 10_000)
      let name = try #require(message.refusalAlarm(because: long)).name
      let kept = try #require(name.refusalReason)
      #expect(long.unicodeScalars.starts(with: kept.unicodeScalars))
      #expect((597...600).contains(kept.utf8.count) && name.bytes.count < AlarmBook.nameLimit)
      // Logs and traces have no values.
      #expect("\(name.shown)" == "\u{1}refused 0000000000000000007")
    }
    // As the build before wrote it, and the one before that.
    for name in ["\u{1}refused 0000000000000000007", "\u{1}refused 7"] {
      #expect(AlarmName(name).isRefusal && AlarmName(name).refusalReason == nil)
    }
  }

  @Test func `that is not expected, or differs from the expected one, is an issue`() async {
    await store.send(.pay(5, to: "b")) { $0 = 95 }
    await withKnownIssue { await store.expectSent(Purse.Input.give(5), to: .id("c")) }
    await withKnownIssue { await store.finish() }
    let other = AsyncTestStore(viewModel: Purse())
    await other.send(.pay(5, to: "b")) { $0 = 95 }
    await withKnownIssue { await other.expectSent(Purse.Input.give(6), to: .id("b")) }
    await other.finish()
  }

  @Test func `beyond the limit rolls back the whole turn`() async {
    await store.send(.many(1_001))
    #expect(store.state == 100)
    await store.send(.many(1_000)) { $0 = 0 }
    await store.send(.pay(1, to: "c"))
    for number in 0..<1_000 {
      await store.expectSent(Purse.Input.give(number), to: .id("b"))
    }
    await store.finish()
  }

  @Test func `can be sent in the other patterns, too`() async {
    let store = AsyncTestStore(viewModel: Teller())
    await store.send(.tell)
    await store.expectSent("news", to: .named("b", of: "teller", shared: true), isRefused: true)
    await store.receive(.refused) { $0 = "refused" }
    await store.finish()
  }

  @Test func `is decoded from exactly its stored bytes`() throws {
    for address in [
      SessionAddress.id("ä"), .named("b", of: "c"), .named("", of: "c", shared: true),
    ] {
      for refusal in [nil, [], [1, 2]] as [[UInt8]?] {
        let message = Message(1 << 40 | 7, to: address, Array("{}".utf8), ifRefused: refusal)
        let read = try #require(Message(message.name, message.alarm.action))
        #expect(read.number == message.number && read.address == address)
        #expect(read.input == message.input && read.refusal == refusal)
        let bytes = message.alarm.action
        #expect(Message(message.name, bytes.dropLast()) == nil || refusal == [])
        #expect(Message(message.name, Array(bytes.dropFirst())) == nil)
      }
    }
    #expect(Message(AlarmName("tea"), [0]) == nil)
    #expect(AlarmName(message: 255) < AlarmName(message: 256))
  }
}
