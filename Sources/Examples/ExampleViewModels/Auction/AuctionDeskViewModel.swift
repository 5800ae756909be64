package import UIFusionKit

/// One person's desk at an auction (the reducing pattern): follows it, bids, and keeps which bid is the person's.
package struct AuctionDeskViewModel: ReducerViewModel, SessionFollowing {
  package var state = State()

  package init() {}

  /// The part of the auction's State that a desk follows.
  package struct Shown: Codable, Equatable, Sendable {
    package var sale: AuctionViewModel.Sale?
  }

  /// The auction's answers to this desk about one sale.
  package struct Standing: Codable, Equatable, Sendable {
    package var sale: Int
    /// The id of this person's newest bid.
    package var bid: Int?
    package var maximum: Int?
    package var notice: String?
  }

  /// The state that clients see, and ``Derived``.
  package struct State: Codable, Equatable, Sendable, MemberDeriving {
    package var name = ""
    package var sale: AuctionViewModel.Sale?
    @Private package var standing: Standing?

    package struct Derived: Codable, Sendable {
      /// The amount up to which the auction bids for this person.
      package var maximum: Int?
      /// Whether the highest bid is this person's.
      package var isHighest: Bool
      /// Whether somebody has bid more than this person.
      package var isOutbid: Bool
      package var notice: String?
    }

    package var derived: Derived {
      let standing = standing?.sale == sale?.id ? standing : nil
      // A bid that the auction has taken may not be shown yet.
      let (own, newest) = (standing?.bid, sale?.bids.last?.id ?? 0)
      return Derived(
        maximum: sale?.isOpen == true ? standing?.maximum : nil,
        isHighest: own == newest,
        isOutbid: own.map { $0 < newest } ?? false,
        notice: standing?.notice
      )
    }

    /// Changes what the auction has answered about a sale, unless it has answered about a later one.
    fileprivate mutating func update(_ sale: Int, _ change: (inout Standing) -> Void) {
      var new = standing ?? Standing(sale: sale)
      if new.sale < sale { new = Standing(sale: sale) }
      guard new.sale == sale else { return }
      change(&new)
      standing = new
    }
  }

  /// The inputs that clients send, and the auction's replies.
  package enum Input: Codable, Equatable, Sendable {
    case call(String)
    /// Bids more than an amount that the person has seen.
    case raise(by: Int, above: Int, sale: Int)
    case setMaximum(Int?, sale: Int)
    case placed(bid: Int, sale: Int), maximumSet(Int?, sale: Int)
  }

  /// The actions that inputs, and the auction, lead to.
  package enum Action: Codable, Equatable, Sendable {
    case call(String), raise(by: Int, above: Int, sale: Int), setMaximum(Int?, sale: Int)
    case placed(bid: Int, sale: Int), maximumSet(Int?, sale: Int), refused(sale: Int)
    case shown(Shown), closed
  }

  private static let auction = SessionAddress.named("today", of: "auction", shared: true)

  package var following: [Following<Action>] {
    [Following(Self.auction, as: Shown.self, ended: .closed) { .shown($0) }]
  }

  package func transform(_ input: Input) -> [Action] {
    switch input {
    case .call(let name): [.call(name)]
    case .raise(let step, let amount, let sale): [.raise(by: step, above: amount, sale: sale)]
    case .setMaximum(let amount, let sale): [.setMaximum(amount, sale: sale)]
    case .placed(let bid, let sale): [.placed(bid: bid, sale: sale)]
    case .maximumSet(let amount, let sale): [.maximumSet(amount, sale: sale)]
    }
  }

  package func reduce(state: inout State, action: Action) -> [AsyncEffect<Action>] {
    switch action {
    case .call(let name): state.name = name.shortened(to: AuctionViewModel.longestText)
    case .raise(let step, let amount, let sale):
      let (sum, isTooLarge) = amount.addingReportingOverflow(step)
      let bid = isTooLarge ? Int.max : sum
      return send(.bid(amount: bid, name: state.name, sale: sale), sale, &state)
    case .setMaximum(let amount, let sale):
      return send(.setMaximum(amount, name: state.name, sale: sale), sale, &state)
    case .placed(let bid, let sale): state.update(sale) { $0.bid = bid }
    case .maximumSet(let amount, let sale): state.update(sale) { $0.maximum = amount }
    case .refused(let sale):
      // The sale is as the client has named it.
      guard let current = state.sale?.id, sale <= current else { break }
      let reason = InputSender.refusal ?? "The auction has not taken that."
      state.update(sale) { $0.notice = reason }
    case .shown(let auction): state.sale = auction.sale
    case .closed: state.sale = nil
    }
    return []
  }

  private func send(
    _ input: AuctionViewModel.Input,
    _ sale: Int,
    _ state: inout State
  ) -> [AsyncEffect<Action>] {
    state.standing?.notice = nil
    return [.send(input, to: Self.auction, ifRefused: .refused(sale: sale))]
  }
}

extension AuctionDeskViewModel: AccessControlled {
  package static func access(_ sender: Identity?, to use: SessionUse<Input>) -> Access {
    switch use {
    case .send(.placed), .send(.maximumSet): .denied("Only the auction answers.")
    default: .byDefault
    }
  }
}
