import Foundation
import Synchronization
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
    sale?.bids.append(Auction.Bid(id: count, amount: amount, name: name))
    sale?.amount = amount
    leader = desk
  }
}

struct `An auction` {
  private let store = AsyncTestStore { Auction(date: $0.date) }
  private let lamp = Auction.Sale(id: 0, lot: "Lamp", closes: at(60))

  /// Opens a lot, for which somebody has bid 5.
  private func open() async {
    await store.send(.offer(lot: "Lamp")) { $0.sale = lamp }
    await store.send(.bid(amount: 5, name: "Ada")) { $0.add(5, "Ada") }
  }

  private func close() async {
    await store.advance(by: .seconds(60))
    await store.receive(.close) {
      $0.sale?.isOpen = false
      $0.maximums = []
    }
    await store.finish()
  }

  private func setMaximum(
    _ amount: Int?,
    of desk: String,
    _ changes: @escaping (inout Auction.State) -> Void = { _ in }
  ) async {
    await store.send(.setMaximum(amount, name: desk, sale: 0), of: desk) {
      $0.maximums.removeAll { $0.desk == desk }
      if let amount {
        $0.maximums.append(Auction.Maximum(desk: desk, name: desk, amount: amount))
      }
      changes(&$0)
    }
    await store.expectSent(Desk.Input.maximumSet(amount, sale: 0), to: .id(desk))
  }

  private func expectPlaced(_ bid: Int, _ desk: String) async {
    await store.expectSent(Desk.Input.placed(bid: bid, sale: 0), to: .id(desk))
  }

  /// Returns whether the auction, in its State now, allows an Input of a desk, or of a client.
  private func access(_ input: Auction.Input, of desk: String? = "bob") -> Access {
    InputSender.$session.withValue(desk) { Auction.access(nil, sending: input, in: store.state) }
  }

  @Test func `sells a lot after a minute, and then the next`() async {
    #expect(access(.bid(amount: 5)) == .denied("This lot is not for sale now."))
    #expect(access(.offer(lot: "")) == .denied("Say what you offer."))
    for seconds in [.min, 9, 3_601, .max] {
      let denied = Access.denied("A lot is for sale for 10 to 3600 seconds.")
      #expect(access(.offer(lot: "Lamp", seconds: seconds)) == denied)
    }
    await open()
    await store.expectAlarms(["close": at(60)])
    #expect(access(.offer(lot: "Chair")) == .denied("Wait until “Lamp” is sold."))
    await store.advance(by: .seconds(60))
    await store.receive(.close) { $0.sale?.isOpen = false }
    #expect(access(.offer(lot: "Chair")) == .byDefault)
    await store.send(.offer(lot: "Chair")) {
      let chair = Auction.Sale(id: 60_000, lot: "Chair", closes: at(120))
      $0 = Auction.State(sale: chair, count: 1)
    }
    for late in [Auction.Input.bid(amount: 9, sale: 0), .setMaximum(9, name: "", sale: 0)] {
      #expect(access(late) == .denied("This lot is not for sale now."))
    }
    await close()
  }

  @Test(arguments: [.min, -1, 0, 4, 5, 1_001, .max])
  func `denies a bid or a maximum that is too low or too high`(amount: Int) async {
    await open()
    let denied = Access.denied("Bid 6 to 1000.")
    #expect(access(.bid(amount: amount, name: "Bob")) == denied)
    #expect(access(.setMaximum(amount, name: "Bob", sale: 0)) == denied)
    #expect(access(.bid(amount: 6)) == .byDefault && access(.bid(amount: 1_000)) == .byDefault)
    await close()
  }

  @Test func `tells a desk which bid is its own, and takes no second one from it`() async {
    await open()
    await store.send(.bid(amount: 1_000, name: "Bob", sale: 0), of: "bob") {
      $0.add(1_000, "Bob", of: "bob")
    }
    await expectPlaced(2, "bob")
    let again = Auction.Input.bid(amount: 1_000, sale: 0)
    #expect(access(again) == .denied("Your bid is the highest already."))
    #expect(access(again, of: "eve") == .denied("Nobody can bid more."))
    #expect(access(again, of: nil) == .denied("Nobody can bid more."))
    await close()
  }

  @Test func `bids for a desk up to its maximum, and not against itself`() async {
    await open()
    await setMaximum(9, of: "bob") { $0.add(6, "bob", of: "bob") }
    await expectPlaced(2, "bob")
    #expect(access(.setMaximum(5, name: "", sale: 0)) == .denied("Bid 6 to 1000."))
    await setMaximum(8, of: "bob")
    await store.send(.bid(amount: 7, name: "Ada")) {
      $0.add(7, "Ada")
      $0.add(8, "bob", of: "bob")
    }
    await expectPlaced(4, "bob")
    await store.send(.bid(amount: 9, name: "Ada")) { $0.add(9, "Ada") }
    await close()
  }

  @Test func `sells for one more than the second maximum, and to the earlier of two`() async {
    await open()
    await setMaximum(20, of: "bob") { $0.add(6, "bob", of: "bob") }
    await expectPlaced(2, "bob")
    await setMaximum(1_000, of: "eve") { $0.add(21, "eve", of: "eve") }
    await expectPlaced(3, "eve")
    await setMaximum(1_000, of: "bob") { $0.add(1_000, "eve", of: "eve") }
    await expectPlaced(4, "eve")
    await close()
  }

  @Test func `takes a maximum back, and none from whoever has no desk`() async {
    await open()
    let maximum = Auction.Input.setMaximum(9, name: "curl", sale: 0)
    #expect(access(maximum, of: nil) == .denied("Set a maximum at your desk."))
    await store.send(maximum)
    await setMaximum(6, of: "bob") { $0.add(6, "bob", of: "bob") }
    await expectPlaced(2, "bob")
    await setMaximum(nil, of: "bob")
    await store.send(.bid(amount: 7)) { $0.add(7, "") }
    await close()
  }

  @Test func `keeps at most a hundred maximums and fifty bids`() async {
    await open()
    for number in 1...100 {
      await setMaximum(6, of: "\(number)") { if number == 1 { $0.add(6, "1", of: "1") } }
      if number == 1 { await expectPlaced(2, "1") }
    }
    let maximum = Auction.Input.setMaximum(9, name: "", sale: 0)
    #expect(access(maximum, of: "101") == .denied("Too many have set a maximum."))
    #expect(access(maximum, of: "100") == .byDefault)
    for amount in 7...80 {
      await store.send(.bid(amount: amount)) {
        $0.add(amount, "")
        if $0.sale?.bids.count == 51 { $0.sale?.bids.removeFirst() }
      }
    }
    await close()
  }

  @Test func `shortens names and lots, whatever their characters`() async {
    // A single character, with many accents.
    let (long, short) = (
      "e" + String(repeating: "\u{301}", count: 1_000),
      "e" + String(repeating: "\u{301}", count: 39)
    )
    await store.send(.offer(lot: long)) {
      $0.sale = lamp
      $0.sale?.lot = short
    }
    await store.send(.setMaximum(9, name: long, sale: 0), of: "bob") {
      $0.maximums = [Auction.Maximum(desk: "bob", name: short, amount: 9)]
      $0.add(1, short, of: "bob")
    }
    await store.expectSent(Desk.Input.maximumSet(9, sale: 0), to: .id("bob"))
    await expectPlaced(1, "bob")
    await store.send(.bid(amount: 10, name: long)) { $0.add(10, short) }
    await close()
  }

  @Test func `takes no bid after the end, even if its alarm rings late`() async {
    let date = Mutex(at(0))
    let store = AsyncTestStore { _ in Auction { date.withLock(\.self) } }
    await store.send(.offer(lot: "Lamp")) { $0.sale = lamp }
    date.withLock { $0 = at(60) }
    await store.send(.bid(amount: 5)) { $0.sale?.isOpen = false }
    await store.advance(by: .seconds(60))
    await store.receive(.close)
    await store.finish()
  }

  @Test func `lets nobody copy it, or look at maximums`() {
    #expect(Auction.access(nil, to: .fork) == .denied("A copy would bid for the same people."))
    #expect(Auction.access(nil, to: .inspect) == .denied("Maximum bids are secret."))
    #expect(Auction.access(nil, to: .read) == .byDefault)
  }
}

struct `A desk at an auction` {
  private let today = SessionAddress.named("today", of: "auction", shared: true)
  private let store = AsyncTestStore { _ in Desk() }

  /// Shows a sale with bids of these amounts, whose ids count from 1.
  private func show(_ amounts: Int..., sale: Int = 0, isOpen: Bool = true) async {
    var seen = Auction.Sale(id: sale, lot: "Lamp", closes: at(60), isOpen: isOpen)
    seen.bids = amounts.enumerated().map { Auction.Bid(id: $0 + 1, amount: $1, name: "") }
    seen.amount = amounts.last ?? 0
    let shown = Desk.Shown(sale: seen)
    await store.show(shown, of: today)
    await store.receive(.shown(shown)) { $0.sale = shown.sale }
  }

  @Test(arguments: [(10, 5, 15), (1, 1_000, 1_001), (.max, 1, .max), (.min, 0, .min), (-1, 5, 4)])
  func `bids as much more as asked, which the auction judges`(
    step: Int,
    above: Int,
    amount: Int
  ) async {
    await show(5)
    await store.send(.call("Ada")) { $0.name = "Ada" }
    await store.send(.raise(by: step, above: above, sale: 0))
    let bid = Auction.Input.bid(amount: amount, name: "Ada", sale: 0)
    await store.expectSent(bid, to: today, because: "Bid 6 to 1000.")
    await store.receive(.refused(sale: 0)) {
      $0.standing = Desk.Standing(sale: 0, notice: "Bid 6 to 1000.")
    }
    #expect(store.state.derived.notice == "Bid 6 to 1000.")
    // A sale of the client's own naming.
    await store.send(.raise(by: 1, above: 0, sale: .max)) { $0.standing?.notice = nil }
    let never = Auction.Input.bid(amount: 1, name: "Ada", sale: .max)
    await store.expectSent(never, to: today, because: "This lot is not for sale now.")
    await store.receive(.refused(sale: .max))
    await store.finish()
  }

  @Test func `says whose the highest bid is, whichever comes first, answer or State`() async {
    await show(5)
    await store.send(.placed(bid: 2, sale: 0)) { $0.standing = Desk.Standing(sale: 0, bid: 2) }
    #expect(!store.state.derived.isHighest && !store.state.derived.isOutbid)
    await show(5, 6)
    #expect(store.state.derived.isHighest && !store.state.derived.isOutbid)
    await show(5, 6, 7)
    #expect(!store.state.derived.isHighest && store.state.derived.isOutbid)
    await show(5, 6, 7, 8)
    await store.send(.placed(bid: 4, sale: 0)) { $0.standing?.bid = 4 }
    #expect(store.state.derived.isHighest && !store.state.derived.isOutbid)
    await store.finish()
  }

  @Test func `shows the maximum that the auction has, until the end`() async {
    await show(5)
    await store.send(.setMaximum(9, sale: 0))
    await store.expectSent(Auction.Input.setMaximum(9, name: "", sale: 0), to: today)
    #expect(store.state.derived.maximum == nil)
    await store.send(.maximumSet(9, sale: 0)) {
      $0.standing = Desk.Standing(sale: 0, maximum: 9)
    }
    #expect(store.state.derived.maximum == 9)
    await show(5, isOpen: false)
    #expect(store.state.derived.maximum == nil)
    await store.finish()
  }

  @Test func `takes no answer about one sale for that of another`() async {
    await store.send(.placed(bid: 1, sale: 7)) { $0.standing = Desk.Standing(sale: 7, bid: 1) }
    // The bid with the same id in an auction that was created anew.
    await show(5, sale: 8)
    #expect(!store.state.derived.isHighest && !store.state.derived.isOutbid)
    await store.send(.maximumSet(9, sale: 8)) {
      $0.standing = Desk.Standing(sale: 8, maximum: 9)
    }
    await store.send(.maximumSet(4, sale: 7))
    await store.showEnd(of: today)
    await store.receive(.closed) { $0.sale = nil }
    await store.finish()
  }

  @Test func `takes answers from the auction only`() {
    for answer in [Desk.Input.placed(bid: 1, sale: 0), .maximumSet(1, sale: 0)] {
      #expect(Desk.access(nil, to: .send(answer)) == .denied("Only the auction answers."))
    }
    #expect(Desk.access(nil, to: .send(.call("Ada"))) == .byDefault)
  }
}
