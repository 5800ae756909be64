package import FoundationEssentials
package import UIFusionKit

/// An auction of one lot after another that many share (the reducing pattern): see ``AuctionDeskViewModel``.
package struct AuctionViewModel: ReducerViewModel {
  package var state = State()
  private let date: @Sendable () -> Date

  package static let highestAmount = 1_000
  /// The longest lot and name, in Unicode scalars, of which a character may have any number.
  package static let longestText = 40
  fileprivate static let mostMaximums = 100
  private static let mostBids = 50
  /// In seconds.
  fileprivate static let (duration, durations) = (60, 10...3_600)

  package init(date: @escaping @Sendable () -> Date) {
    self.date = date
  }

  package struct Bid: Codable, Equatable, Sendable {
    package var id: Int
    package var amount: Int
    package var name: String
  }

  /// The sale of one lot.
  package struct Sale: Codable, Equatable, Sendable {
    /// The time of the offer in milliseconds, by which bids name their sale: one that comes late is not for the next lot.
    package var id: Int
    package var lot: String
    package var closes: Date
    package var isOpen = true
    /// The amount of the highest bid.
    package var amount = 0
    /// The newest bids, the highest at the end.
    package var bids: [Bid] = []
  }

  /// A desk's maximum bid.
  package struct Maximum: Codable, Equatable, Sendable {
    /// The id of the desk's session: a secret, as whoever knows it may use the desk.
    package var desk: String
    package var name: String
    package var amount: Int
  }

  /// The state that clients see.
  package struct State: Codable, Equatable, Sendable {
    package var sale: Sale?
    /// The number of bids so far, for all lots, and the id of the newest.
    package var count = 0
    /// The maximum bids for the lot, the earliest first.
    @Private package var maximums: [Maximum] = []
    /// The desk of the highest bid.
    @Private package var leader: String?
  }

  /// The inputs that clients and desks send.
  package enum Input: Codable, Equatable, Sendable {
    /// Offers a lot for some seconds, by default for a minute.
    case offer(lot: String, seconds: Int? = nil)
    /// Bids for a sale, by default for the one that is open.
    case bid(amount: Int, name: String? = nil, sale: Int? = nil)
    /// Sets the desk's maximum, up to which the auction bids for it; nil takes it back.
    case setMaximum(Int?, name: String, sale: Int)
  }

  /// The actions that inputs, and the alarm, lead to.
  package enum Action: Codable, Equatable, Sendable {
    case offer(lot: String, id: Int, seconds: Int), close
    case bid(amount: Int, name: String, at: Date)
    case setMaximum(Int?, name: String, at: Date)
  }

  private enum AlarmName: Hashable, Sendable { case close }

  package func transform(_ input: Input) -> [Action] {
    switch input {
    case .offer(let lot, let seconds):
      [
        .offer(
          lot: lot,
          id: Int(date().timeIntervalSince1970 * 1_000),
          seconds: seconds ?? Self.duration
        )
      ]
    case .bid(let amount, let name, _): [.bid(amount: amount, name: name ?? "", at: date())]
    case .setMaximum(let amount, let name, _): [.setMaximum(amount, name: name, at: date())]
    }
  }

  package func reduce(state: inout State, action: Action) -> [AsyncEffect<Action>] {
    switch action {
    case .offer(let lot, let id, let seconds):
      let closes = Date(timeIntervalSince1970: Double(id) / 1_000 + Double(seconds))
      let sale = Sale(id: id, lot: lot.shortened(to: Self.longestText), closes: closes)
      state = State(sale: sale, count: state.count)
      return [.alarm(id: AlarmName.close, at: closes, .close)]
    case .bid(let amount, let name, let date):
      guard isOpen(&state, at: date) else { break }
      return place(amount, name, of: InputSender.session, &state) + placeForDesks(&state)
    case .setMaximum(let amount, let name, let date):
      guard let desk = InputSender.session, isOpen(&state, at: date), let sale = state.sale?.id
      else { break }
      state.maximums.removeAll { $0.desk == desk }
      if let amount {
        let name = name.shortened(to: Self.longestText)
        state.maximums.append(Maximum(desk: desk, name: name, amount: amount))
      }
      let answer = AuctionDeskViewModel.Input.maximumSet(amount, sale: sale)
      return [.reply(answer, to: desk)] + placeForDesks(&state)
    case .close: close(&state)
    }
    return []
  }

  /// Whether the sale is open, which ends in time even if its alarm rings late.
  private func isOpen(_ state: inout State, at date: Date) -> Bool {
    if let sale = state.sale, sale.closes <= date { close(&state) }
    return state.sale?.isOpen == true
  }

  private func close(_ state: inout State) {
    state.sale?.isOpen = false
    state.maximums = []
  }

  /// Bids for the desk with the highest maximum, the earliest of several: one more than anybody else has bid or set, but
  /// not more than its maximum.
  private func placeForDesks(_ state: inout State) -> [AsyncEffect<Action>] {
    guard let sale = state.sale, let highest = state.maximums.map(\.amount).max(),
      let first = state.maximums.first(where: { $0.amount == highest })
    else { return [] }
    let others = state.maximums.filter { $0.desk != first.desk }.map(\.amount)
    let rivals = state.leader == first.desk ? others : others + [sale.amount]
    guard let rival = rivals.max() else { return [] }
    let amount = min(first.amount, rival + 1)
    return amount > sale.amount ? place(amount, first.name, of: first.desk, &state) : []
  }

  private func place(
    _ amount: Int,
    _ name: String,
    of desk: String?,
    _ state: inout State
  ) -> [AsyncEffect<Action>] {
    guard var sale = state.sale else { return [] }
    state.count += 1
    let bid = Bid(id: state.count, amount: amount, name: name.shortened(to: Self.longestText))
    sale.bids = (sale.bids + [bid]).suffix(Self.mostBids)
    sale.amount = amount
    (state.sale, state.leader) = (sale, desk)
    return [.reply(AuctionDeskViewModel.Input.placed(bid: bid.id, sale: sale.id), to: desk)]
  }
}

extension AuctionViewModel: AccessControlled {
  package static func access(_ sender: Identity?, to use: SessionUse<Input>) -> Access {
    switch use {
    case .fork: .denied("A copy would bid for the same people.")
    case .inspect: .denied("Maximum bids are secret.")
    default: .byDefault
    }
  }

  package static func access(
    _ sender: Identity?,
    sending input: Input,
    in state: State
  ) -> Access {
    let open = state.sale.flatMap { $0.isOpen ? $0 : nil }
    switch input {
    case .offer(let lot, let seconds):
      if let open { return .denied("Wait until “\(open.lot)” is sold.") }
      guard durations.contains(seconds ?? duration) else {
        return .denied("A lot is for sale for 10 to 3600 seconds.")
      }
      return lot.isEmpty ? .denied("Say what you offer.") : .byDefault
    case .bid(let amount, _, let sale):
      if open != nil, let desk = InputSender.session, desk == state.leader {
        return .denied("Your bid is the highest already.")
      }
      return access(open, amount, sale ?? open?.id)
    case .setMaximum(let amount, _, let sale):
      guard let desk = InputSender.session else { return .denied("Set a maximum at your desk.") }
      guard
        state.maximums.count < mostMaximums || state.maximums.contains(where: { $0.desk == desk })
      else { return .denied("Too many have set a maximum.") }
      return access(open, amount, sale, isLeader: state.leader == desk)
    }
  }

  private static func access(
    _ open: Sale?,
    _ amount: Int?,
    _ sale: Int?,
    isLeader: Bool = false
  ) -> Access {
    guard let open, open.id == sale else { return .denied("This lot is not for sale now.") }
    guard let amount else { return .byDefault }
    guard open.amount < highestAmount else { return .denied("Nobody can bid more.") }
    let least = isLeader ? open.amount : open.amount + 1
    guard amount < least || amount > highestAmount else { return .byDefault }
    return .denied("Bid \(least) to \(highestAmount).")
  }
}
