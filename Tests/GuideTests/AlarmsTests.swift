import Foundation
import Testing
import UIFusionKit
import UIFusionTesting

// What follows is the Swift of Alarms.md.

struct Trial: ReducerViewModel {
  enum Input: Codable, Sendable { case begin, subscribe }
  enum Action: Codable, Equatable, Sendable { case begin, warn, end, subscribe }
  struct State: Codable, Equatable, Sendable { var phase = "none" }
  enum AlarmName { case warning, end }

  var state = State()

  func transform(_ input: Input) -> [Action] {
    switch input {
    case .begin: [.begin]
    case .subscribe: [.subscribe]
    }
  }

  func reduce(state: inout State, action: Action) -> [AsyncEffect<Action>] {
    switch action {
    case .begin:
      state.phase = "trial"
      return [
        .alarm(id: AlarmName.warning, after: .seconds(12 * 86_400), .warn),
        .alarm(id: AlarmName.end, after: .seconds(14 * 86_400), .end),
      ]
    case .warn: state.phase = "last days"
    case .end: state.phase = "over"
    case .subscribe:
      state.phase = "subscribed"
      return [.cancelAlarm(id: AlarmName.warning), .cancelAlarm(id: AlarmName.end)]
    }
    return []
  }
}

struct Wallet: ReducerViewModel {
  enum Input: Codable, Equatable, Sendable { case pay(Int, to: String), take(Int) }
  enum Action: Codable, Equatable, Sendable { case pay(Int, to: String), take(Int) }
  struct State: Codable, Equatable, Sendable { var balance = 0 }

  var state = State()

  func transform(_ input: Input) -> [Action] {
    switch input {
    case .pay(let amount, let other): [.pay(amount, to: other)]
    case .take(let amount): [.take(amount)]
    }
  }

  func reduce(state: inout State, action: Action) -> [AsyncEffect<Action>] {
    switch action {
    case .pay(let amount, let other):
      state.balance -= amount
      return [.send(Input.take(amount), to: .id(other), ifRefused: .take(amount))]
    case .take(let amount): state.balance += amount
    }
    return []
  }
}

/// Lends to whoever asks, as long as it has something.
struct Bank: ReducerViewModel {
  enum Input: Codable, Equatable, Sendable { case lend(Int) }
  typealias Action = Input
  struct State: Codable, Equatable, Sendable { var balance = 10 }

  var state = State()

  func transform(_ input: Input) -> [Action] { [input] }

  func reduce(state: inout State, action: Action) -> [AsyncEffect<Action>] {
    switch action {
    case .lend(let amount):
      guard amount <= state.balance else { return [.reply(Borrower.Input.refused)] }
      state.balance -= amount
      return [.reply(Borrower.Input.lent(amount))]
    }
  }
}

enum Borrower {
  enum Input: Codable, Equatable, Sendable { case lent(Int), refused }
}

struct Mirror: ReducerViewModel, SessionFollowing {
  enum Input: Codable, Sendable { case look(String?) }
  enum Action: Codable, Equatable, Sendable { case look(String?), shown(Wallet.State), closed }
  struct State: Codable, Equatable, Sendable { var wallet: String?, balance = 0 }

  var state = State()

  var following: [Following<Action>] {
    guard let wallet = state.wallet else { return [] }
    return [Following(.id(wallet), as: Wallet.State.self, ended: .closed) { .shown($0) }]
  }

  func transform(_ input: Input) -> [Action] {
    switch input {
    case .look(let wallet): [.look(wallet)]
    }
  }

  func reduce(state: inout State, action: Action) -> [AsyncEffect<Action>] {
    switch action {
    case .look(let wallet): state.wallet = wallet
    case .shown(let wallet): state.balance = wallet.balance
    case .closed: state = State()
    }
    return []
  }
}

struct Kettle: ViewModelProtocol, AlarmSetting {
  enum Input: Codable, Sendable { case boil }
  enum Action: Codable, Sendable { case boil, ready }

  var state = "cold"
  let alarms = Alarms<Action>()

  func transform(_ input: Input) -> [Action] { [.boil] }

  mutating func perform(_ action: Action) {
    switch action {
    case .boil: alarms.set("tea", after: .seconds(180), .ready)
    case .ready: state = "ready"
    }
  }
}

struct `The guide on alarms` {
  @Test func `shows a trial that ends after two weeks without a subscription`() async {
    let store = AsyncTestStore(viewModel: Trial())
    await store.send(.begin) { $0.phase = "trial" }
    await store.advance(by: .seconds(12 * 86_400))
    await store.receive(.warn) { $0.phase = "last days" }
    await store.expectAlarms(["end": Date(timeIntervalSince1970: 14 * 86_400)])
    await store.send(.subscribe) { $0.phase = "subscribed" }
    await store.finish()
  }

  @Test func `shows a wallet that pays another, and gets a refused payment back`() async {
    let store = AsyncTestStore(viewModel: Wallet())
    await store.send(.pay(5, to: "b")) { $0.balance = -5 }
    await store.expectSent(Wallet.Input.take(5), to: .id("b"))
    await store.send(.pay(3, to: "c")) { $0.balance = -8 }
    await store.expectSent(Wallet.Input.take(3), to: .id("c"), isRefused: true)
    await store.receive(.take(3)) { $0.balance = -5 }
    await store.finish()
  }

  @Test func `shows a bank that replies to whoever asks, and to no client`() async {
    let store = AsyncTestStore(viewModel: Bank())
    await store.send(.lend(8), of: "b") { $0.balance = 2 }
    await store.expectSent(Borrower.Input.lent(8), to: .id("b"))
    await store.send(.lend(8), of: "c")
    await store.expectSent(Borrower.Input.refused, to: .id("c"))
    await store.send(.lend(1)) { $0.balance = 1 }
    await store.finish()
  }

  @Test func `shows a mirror of the wallet that it follows`() async {
    let mirror = AsyncTestStore(viewModel: Mirror())
    await mirror.send(.look("b")) { $0.wallet = "b" }
    await mirror.show(Wallet.State(balance: 5), of: .id("b"))
    await mirror.receive(.shown(Wallet.State(balance: 5))) { $0.balance = 5 }
    await mirror.showEnd(of: .id("b"))
    await mirror.receive(.closed) { $0 = Mirror.State() }
    await mirror.finish()
  }

  @Test func `shows a kettle that is ready after three minutes`() async {
    let store = AsyncTestStore(viewModel: Kettle())
    store.isExhaustive = false
    await store.send(.boil)
    await store.advance(by: .seconds(180))
    await store.skip()
    #expect(store.state == "ready")
  }
}
