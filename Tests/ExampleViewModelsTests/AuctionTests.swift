import Foundation
import Testing
import UIFusionKit
import UIFusionTesting

@testable import FusionExampleViewModels

private typealias Auction = AuctionViewModel
private typealias Desk = AuctionDeskViewModel

private func at(_ seconds: Double) -> Date { Date(timeIntervalSince1970: seconds) }

extension Auction.State {
  /// Adds a bid of a desk, or of whoever has none.
  fileprivate mutating func add(_ amount: Int, _ name: String, of desk: String? = nil) {
    count += 1
    bids.append(Auction.Bid(id: count, amount: amount, name: name))
    leader = desk
  }
}

struct `An auction` {
  private let store = AsyncTestStore { Auction(date: $0.date) }

  @Test func `sells a lot after a minute, and then the next`() async {
    await store.send(.offer(lot: "Lamp")) { ($0.lot, $0.closes) = ("Lamp", at(60)) }
    await store.expectAlarms(["close": at(60)])
    await store.send(.bid(amount: 5, name: "Ada")) { $0.add(5, "Ada") }
    await store.send(.offer(lot: "Chair"))
    await store.advance(by: .seconds(60))
    await store.receive(.close) { $0.closes = nil }
    await store.send(.bid(amount: 6, name: "Bob"))
    await store.send(.offer(lot: "Chair")) {
      $0 = Auction.State(lot: "Chair", closes: at(120), count: 1)
    }
    await store.advance(by: .seconds(60))
    await store.receive(.close) { $0.closes = nil }
    await store.finish()
  }

  @Test(arguments: [.min, -1, 0, 4, 5, 1_001, .max])
  func `takes no bid that is not higher, or too high, and says why`(amount: Int) async {
    await open()
    await store.send(.bid(amount: amount, name: "Bob"), of: "bob")
    await store.expectSent(Desk.Input.refused("Bid 6 to 1000."), to: .id("bob"))
    await close()
  }

  @Test func `tells a desk which bid is its own`() async {
    await open()
    await store.send(.bid(amount: 1_000, name: "Bob"), of: "bob") {
      $0.add(1_000, "Bob", of: "bob")
    }
    await store.expectSent(Desk.Input.placed(bid: 2), to: .id("bob"))
    await store.send(.bid(amount: 1_001, name: "Eve"), of: "eve")
    await store.expectSent(Desk.Input.refused("Nobody can bid more."), to: .id("eve"))
    await close()
    await store.send(.bid(amount: 6, name: "Eve"), of: "eve")
    await store.expectSent(Desk.Input.refused("Nothing is for sale now."), to: .id("eve"))
  }

  @Test func `bids for a desk up to its limit, one more than anybody else`() async {
    await open()
    await store.send(.bidUp(to: 9, name: "Bob"), of: "bob") {
      $0.orders = [Auction.Order(desk: "bob", name: "Bob", limit: 9)]
      $0.add(6, "Bob", of: "bob")
    }
    await store.expectSent(Desk.Input.placed(bid: 2), to: .id("bob"))
    // Nobody bids against themselves.
    await store.send(.bidUp(to: 8, name: "Bob"), of: "bob") { $0.orders[0].limit = 8 }
    await store.send(.bid(amount: 7, name: "Ada")) {
      $0.add(7, "Ada")
      $0.add(8, "Bob", of: "bob")
    }
    await store.expectSent(Desk.Input.placed(bid: 4), to: .id("bob"))
    await store.send(.bid(amount: 9, name: "Ada")) { $0.add(9, "Ada") }
    await close { $0.orders = [] }
  }

  @Test func `sells for one more than the second limit, and to the earlier of two`() async {
    await open()
    await store.send(.bidUp(to: 20, name: "Bob"), of: "bob") {
      $0.orders = [Auction.Order(desk: "bob", name: "Bob", limit: 20)]
      $0.add(6, "Bob", of: "bob")
    }
    await store.expectSent(Desk.Input.placed(bid: 2), to: .id("bob"))
    await store.send(.bidUp(to: .max, name: "Eve"), of: "eve") {
      $0.orders.append(Auction.Order(desk: "eve", name: "Eve", limit: 1_000))
      $0.add(21, "Eve", of: "eve")
    }
    await store.expectSent(Desk.Input.placed(bid: 3), to: .id("eve"))
    await store.send(.bidUp(to: 1_000, name: "Bob"), of: "bob") {
      $0.orders = [$0.orders[1], Auction.Order(desk: "bob", name: "Bob", limit: 1_000)]
      $0.add(1_000, "Eve", of: "eve")
    }
    await store.expectSent(Desk.Input.placed(bid: 4), to: .id("eve"))
    await close { $0.orders = [] }
  }

  @Test func `takes an order back, and none from whoever has no desk`() async {
    await open()
    await store.send(.bidUp(to: 9, name: "curl"))
    await store.send(.bidUp(to: 6, name: "Bob"), of: "bob") {
      $0.orders = [Auction.Order(desk: "bob", name: "Bob", limit: 6)]
      $0.add(6, "Bob", of: "bob")
    }
    await store.expectSent(Desk.Input.placed(bid: 2), to: .id("bob"))
    await store.send(.bidUp(to: nil, name: "Bob"), of: "bob") { $0.orders = [] }
    await store.send(.bidUp(to: .min, name: "Bob"), of: "bob") {
      $0.orders = [Auction.Order(desk: "bob", name: "Bob", limit: .min)]
    }
    await close { $0.orders = [] }
    await store.send(.bidUp(to: 9, name: "Bob"), of: "bob")
    await store.expectSent(Desk.Input.refused("Nothing is for sale now."), to: .id("bob"))
  }

  /// Opens a lot, for which somebody has bid 5.
  private func open() async {
    await store.send(.offer(lot: "Lamp")) { ($0.lot, $0.closes) = ("Lamp", at(60)) }
    await store.send(.bid(amount: 5, name: "Ada")) { $0.add(5, "Ada") }
  }

  private func close(_ changes: @escaping (inout Auction.State) -> Void = { _ in }) async {
    await store.advance(by: .seconds(60))
    await store.receive(.close) {
      $0.closes = nil
      changes(&$0)
    }
  }
}

struct `A desk at an auction` {
  private let today = SessionAddress.named("today", of: "auction", shared: true)
  private let store = AsyncTestStore { _ in Desk() }

  /// Shows a lot with bids of these amounts.
  private func show(
    _ amounts: Int...,
    closes: Double? = 60,
    _ changes: @escaping (inout Desk.State) -> Void = { _ in }
  ) async {
    var seen = Auction.State(lot: "Lamp", closes: closes.map(at), count: amounts.count)
    seen.bids = amounts.enumerated().map { Auction.Bid(id: $0 + 1, amount: $1, name: "") }
    await store.show(seen, of: today)
    await store.receive(.shown(seen)) {
      $0.auction = seen
      changes(&$0)
    }
  }

  private func expectSent(_ input: Auction.Input, isRefused: Bool = false) async {
    await store.expectSent(input, to: today, isRefused: isRefused)
  }

  @Test func `raises the highest bid that it sees, whatever the step`() async {
    await show(5)
    await store.send(.raise(by: 10))
    await expectSent(.bid(amount: 15, name: ""))
    await store.send(.placed(bid: 2)) { $0.own = [2] }
    await show(5, 15)
    #expect(store.state.derived.leads)
    await store.send(.raise(by: .max))
    await expectSent(.bid(amount: 1_015, name: ""))
    await store.send(.refused("Bid 16 to 1000.")) { $0.notice = "Bid 16 to 1000." }
    await store.send(.raise(by: .min)) { $0.notice = nil }
    await expectSent(.bid(amount: 16, name: ""), isRefused: true)
    await store.receive(.refused()) { $0.notice = "There is no auction." }
    await store.finish()
  }

  @Test func `has won if its bid was the highest at the end, and forgets its limit`() async {
    await show(5)
    await store.send(.call("Ada")) { $0.name = "Ada" }
    await store.send(.bidUp(to: 6)) { $0.limit = 6 }
    await expectSent(.bidUp(to: 6, name: "Ada"))
    await store.send(.placed(bid: 2)) { $0.own = [2] }
    await show(5, 6)
    await show(5, 6, closes: nil)
    #expect(store.state.derived.hasWon && !store.state.derived.leads)
    await show(closes: 120) { $0.limit = nil }
    #expect(!store.state.derived.hasWon)
    await store.showEnd(of: today)
    await store.receive(.closed) { $0.auction = Auction.State() }
    await store.finish()
  }

  @Test func `takes answers from the auction only`() {
    #expect(Desk.access(nil, to: .send(.placed(bid: 1))) == .denied("Only the auction answers."))
    #expect(Desk.access(nil, to: .send(.refused("no"))) == .denied("Only the auction answers."))
    #expect(Desk.access(nil, to: .send(.raise(by: 1))) == .byDefault)
  }
}
