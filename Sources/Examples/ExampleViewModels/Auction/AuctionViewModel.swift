package import FoundationEssentials
package import UIFusionKit

/// An auction of one lot after another that many share (the reducing pattern): see ``AuctionDeskViewModel``.
package struct AuctionViewModel: ReducerViewModel {
  package var state = State()
  private let date: @Sendable () -> Date

  package static let highest = 1_000
  private static let duration: Double = 60
  private static let (mostBids, mostOrders) = (50, 100)
  /// In Unicode scalars, of which a character may have any number.
  private static let longestText = 40

  package init(date: @escaping @Sendable () -> Date) {
    self.date = date
  }

  package struct Bid: Codable, Equatable, Sendable {
    package var id: Int
    package var amount: Int
    package var name: String
  }

  /// A desk's order to bid up to a limit.
  package struct Order: Codable, Equatable, Sendable {
    /// The id of the desk's session: a secret, as whoever knows it may use the desk.
    package var desk: String
    package var name: String
    package var limit: Int
  }

  /// The state that clients see.
  package struct State: Codable, Equatable, Sendable {
    /// The lot that is for sale, or was sold last; empty before the first.
    package var lot = ""
    /// The time when the lot is sold; nil if it is.
    package var closes: Date?
    /// The newest bids, the highest at the end.
    package var bids: [Bid] = []
    /// The number of bids so far, for all lots, and the id of the newest.
    package var count = 0
    /// Orders for the lot, the earliest first.
    @Private package var orders: [Order] = []
    /// The desk of the highest bid.
    @Private package var leader: String?

    package var amount: Int { bids.last?.amount ?? 0 }
  }

  /// The inputs that clients and desks send.
  package enum Input: Codable, Equatable, Sendable {
    case offer(lot: String), bid(amount: Int, name: String? = nil)
    /// Orders to bid for the desk that sends this, or no more if nil.
    case bidUp(to: Int?, name: String)
  }

  /// The actions that inputs, and the alarm, lead to.
  package enum Action: Codable, Equatable, Sendable {
    case offer(lot: String, until: Date), bid(amount: Int, name: String), close
    case bidUp(to: Int?, name: String)
  }

  private enum AlarmName: Hashable, Sendable { case close }

  package func transform(_ input: Input) -> [Action] {
    switch input {
    case .offer(let lot): [.offer(lot: lot, until: date().addingTimeInterval(Self.duration))]
    case .bid(let amount, let name): [.bid(amount: amount, name: name ?? "")]
    case .bidUp(let limit, let name): [.bidUp(to: limit, name: name)]
    }
  }

  package func reduce(state: inout State, action: Action) -> [AsyncEffect<Action>] {
    switch action {
    case .offer(let lot, let closes):
      guard state.closes == nil else { return refusal("Wait until “\(state.lot)” is sold.") }
      state = State(lot: lot.shortened(to: Self.longestText), closes: closes, count: state.count)
      return [.alarm(id: AlarmName.close, at: closes, .close)]
    case .bid(let amount, let name):
      guard state.closes != nil else { return refusal("Nothing is for sale now.") }
      guard state.amount < Self.highest else { return refusal("Nobody can bid more.") }
      guard amount > state.amount, amount <= Self.highest else {
        return refusal("Bid \(state.amount + 1) to \(Self.highest).")
      }
      return place(amount, name, of: InputSender.session, &state) + placeOrdered(&state)
    case .bidUp(let limit, let name):
      guard let desk = InputSender.session else { break }
      guard state.closes != nil else { return refusal("Nothing is for sale now.") }
      state.orders.removeAll { $0.desk == desk }
      guard let limit else { break }
      let order = Order(desk: desk, name: name, limit: min(limit, Self.highest))
      state.orders = (state.orders + [order]).suffix(Self.mostOrders)
      return placeOrdered(&state)
    case .close: (state.closes, state.orders) = (nil, [])
    }
    return []
  }

  /// Bids for the desk with the highest limit, the earliest of several: as much as nobody else has bid or ordered.
  private func placeOrdered(_ state: inout State) -> [AsyncEffect<Action>] {
    guard let highest = state.orders.map(\.limit).max(),
      let order = state.orders.first(where: { $0.limit == highest })
    else { return [] }
    let others = state.orders.filter { $0.desk != order.desk }.map(\.limit)
    let rivals = state.leader == order.desk ? others : others + [state.amount]
    guard let rival = rivals.max() else { return [] }
    let amount = min(order.limit, rival + 1)
    return amount > state.amount ? place(amount, order.name, of: order.desk, &state) : []
  }

  private func place(
    _ amount: Int,
    _ name: String,
    of desk: String?,
    _ state: inout State
  ) -> [AsyncEffect<Action>] {
    state.count += 1
    let bid = Bid(id: state.count, amount: amount, name: name.shortened(to: Self.longestText))
    state.bids = (state.bids + [bid]).suffix(Self.mostBids)
    state.leader = desk
    return desk.map { [.reply(AuctionDeskViewModel.Input.placed(bid: bid.id), to: $0)] } ?? []
  }

  private func refusal(_ reason: String) -> [AsyncEffect<Action>] {
    [.reply(AuctionDeskViewModel.Input.refused(reason))]
  }
}

extension String {
  fileprivate func shortened(to count: Int) -> String { String(unicodeScalars.prefix(count)) }
}
