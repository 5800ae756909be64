package import UIFusionKit

/// One person's desk at an auction (the reducing pattern): follows it, bids, and keeps which bids are the person's.
package struct AuctionDeskViewModel: ReducerViewModel, SessionFollowing {
  package var state = State()

  package init() {}

  /// The state that clients see, and ``Derived``.
  package struct State: Codable, Equatable, Sendable, MemberDeriving {
    package var name = ""
    /// Up to which amount the auction bids for this person.
    package var limit: Int?
    package var notice: String?
    @Private package var auction = AuctionViewModel.State()
    /// The ids of this person's bids.
    @Private package var own: [Int] = []

    package struct Derived: Codable, Sendable {
      /// Whether the highest bid is this person's, and the lot is for sale.
      package var leads: Bool
      /// Whether the lot was sold to this person.
      package var hasWon: Bool
    }

    package var derived: Derived {
      let isHighest = auction.bids.last.map { own.contains($0.id) } ?? false
      let isOpen = auction.closes != nil
      return Derived(leads: isHighest && isOpen, hasWon: isHighest && !isOpen)
    }
  }

  /// The inputs that clients send, and the auction's replies.
  package enum Input: Codable, Equatable, Sendable {
    case call(String), raise(by: Int), bidUp(to: Int?)
    case placed(bid: Int), refused(String)
  }

  /// The actions that inputs, and the auction, lead to.
  package enum Action: Codable, Equatable, Sendable {
    case call(String), raise(by: Int), bidUp(to: Int?)
    case placed(bid: Int), refused(String? = nil)
    case shown(AuctionViewModel.State), closed
  }

  private static let auction = SessionAddress.named("today", of: "auction", shared: true)
  private static let mostOwn = 50

  package var following: [Following<Action>] {
    [Following(Self.auction, as: AuctionViewModel.State.self, ended: .closed) { .shown($0) }]
  }

  package func transform(_ input: Input) -> [Action] {
    switch input {
    case .call(let name): [.call(name)]
    case .raise(let step): [.raise(by: step)]
    case .bidUp(let limit): [.bidUp(to: limit)]
    case .placed(let bid): [.placed(bid: bid)]
    case .refused(let reason): [.refused(reason)]
    }
  }

  package func reduce(state: inout State, action: Action) -> [AsyncEffect<Action>] {
    switch action {
    case .call(let name): state.name = name
    case .raise(let step):
      let amount = state.auction.amount + max(1, min(step, AuctionViewModel.highest))
      return send(.bid(amount: amount, name: state.name), &state)
    case .bidUp(let limit):
      state.limit = limit
      return send(.bidUp(to: limit, name: state.name), &state)
    case .placed(let bid): state.own = (state.own + [bid]).suffix(Self.mostOwn)
    case .refused(let reason): state.notice = reason ?? "There is no auction."
    case .shown(let auction):
      if let closes = auction.closes, closes != state.auction.closes {
        (state.limit, state.notice) = (nil, nil)
      }
      state.auction = auction
    case .closed: (state.auction, state.limit) = (AuctionViewModel.State(), nil)
    }
    return []
  }

  private func send(
    _ input: AuctionViewModel.Input,
    _ state: inout State
  ) -> [AsyncEffect<Action>] {
    state.notice = nil
    return [.send(input, to: Self.auction, ifRefused: .refused())]
  }
}

extension AuctionDeskViewModel: AccessControlled {
  package static func access(_ sender: Identity?, to use: SessionUse<Input>) -> Access {
    switch use {
    case .send(.placed), .send(.refused): .denied("Only the auction answers.")
    default: .byDefault
    }
  }
}
