package import UIFusionKit

/// One user's seat at a board (the reducing pattern): follows it, tells it who is there, and keeps the user's search and
/// the steps to undo.
package struct BoardSeatViewModel: ReducerViewModel, SessionFollowing {
  package var state = State()

  package init() {}

  /// The part of the board's State that a seat follows.
  package struct Columns: Codable, Equatable, Sendable {
    package var columns: [BoardViewModel.Column]
  }

  /// The state that clients see.
  package struct State: Codable, Equatable, Sendable {
    /// The id of the board's session, or its name after an at sign; nil for the board that all share.
    package var board: String?
    package var columns = BoardViewModel.Column.all
    package var query = ""
    /// The Inputs that take back what this user has done, the last at the end.
    package var undo: [BoardViewModel.Input] = []
    package var notice: String?
    package var name = ""
    @Private package var visitors: [Visitor] = []
    /// Whether the board has been told that the user is there.
    @Private package var isSeated = false

    fileprivate var address: SessionAddress {
      guard let board else { return .named("team", of: "board", shared: true) }
      return board.hasPrefix("@") ? .named(String(board.dropFirst()), of: "board") : .id(board)
    }
  }

  /// The inputs that clients send, the board's replies, and the one by which the service tells of visitors.
  package enum Input: Codable, Equatable, Sendable {
    case open(String), search(String), call(String), undo
    case add(text: String, to: String), move(card: Int, to: String, before: Int? = nil)
    case remove(card: Int)
    case added(card: Int), refused(String)
    case presence(PresenceChange)
  }

  /// The actions that inputs, and the board, lead to.
  package enum Action: Codable, Equatable, Sendable {
    case open(String), shown(Columns), closed, search(String), call(String), undo
    case presence(PresenceChange)
    case send(BoardViewModel.Input, back: BoardViewModel.Input?)
    case added(card: Int), refused(String? = nil)
  }

  private static let mostUndone = 20

  package var following: [Following<Action>] {
    [Following(state.address, as: Columns.self, ended: .closed) { .shown($0) }]
  }

  package func transform(_ input: Input) -> [Action] {
    switch input {
    case .open(let board): [.open(board)]
    case .search(let query): [.search(query)]
    case .call(let name): [.call(name)]
    case .presence(let change): [.presence(change)]
    case .undo: [.undo]
    case .add(let text, let column): [.send(.add(text: text, to: column), back: nil)]
    case .move(let card, let column, let next):
      back(card).map { [.send(.move(card: card, to: column, before: next), back: $0)] } ?? []
    case .remove(let card): back(card).map { [.send(.remove(card: card), back: $0)] } ?? []
    case .added(let card): [.added(card: card)]
    case .refused(let reason): [.refused(reason)]
    }
  }

  package func reduce(state: inout State, action: Action) -> [AsyncEffect<Action>] {
    switch action {
    case .open(let board):
      let left = state.isSeated ? send(.leave, state) : []
      state = State(board: board, name: state.name, visitors: state.visitors)
      return left + seat(&state)
    case .shown(let board):
      state.columns = board.columns
      return seat(&state)
    case .closed:
      // The first visitor's seat may be there before the board.
      let isNew = state.board == nil && state.columns == BoardViewModel.Column.all
      let notice = isNew ? nil : "The board is gone."
      state = State(notice: notice, name: state.name, visitors: state.visitors)
    case .search(let query): state.query = query
    case .call(let name):
      state.name = name
      return state.isSeated ? send(.sit(name: name), state) : []
    case .presence(let change):
      change.update(&state.visitors)
      return seat(&state)
    case .added(let card): note(.remove(card: card), &state)
    case .refused(let reason): state.notice = reason ?? "The board has not taken that."
    case .undo:
      guard let input = state.undo.popLast() else { break }
      state.notice = nil
      return send(input, state)
    case .send(let input, let back):
      state.notice = nil
      if let back { note(back, &state) }
      return send(input, state)
    }
    return []
  }

  /// Tells the board that the user has come, or left, if it does not know.
  private func seat(_ state: inout State) -> [AsyncEffect<Action>] {
    guard state.isSeated == state.visitors.isEmpty else { return [] }
    state.isSeated.toggle()
    return send(state.isSeated ? .sit(name: state.name) : .leave, state)
  }

  private func note(_ back: BoardViewModel.Input, _ state: inout State) {
    state.undo = (state.undo + [back]).suffix(Self.mostUndone)
  }

  private func send(_ input: BoardViewModel.Input, _ state: State) -> [AsyncEffect<Action>] {
    [.send(input, to: state.address, ifRefused: .refused())]
  }

  /// Returns the Input that puts a card back to where it is now.
  private func back(_ id: Int) -> BoardViewModel.Input? {
    guard let place = state.columns.place(of: id) else { return nil }
    return state.columns.cards.first { $0.id == id }
      .map { .restore($0, to: place.column, at: place.index) }
  }
}

extension BoardSeatViewModel: AccessControlled {
  package static func access(_ sender: Identity?, to use: SessionUse<Input>) -> Access {
    switch use {
    case .send(.added), .send(.refused): .denied("Only the board answers.")
    default: .byDefault
    }
  }
}

extension BoardSeatViewModel: PresenceObserving {
  package static func input(for change: PresenceChange) -> Input? { .presence(change) }
}
