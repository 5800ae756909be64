package import UIFusionKit

/// One user's seat at a board: follows it, searches it, and undoes what its user has done there (the reducing pattern).
package struct BoardSeatViewModel: ReducerViewModel, SessionFollowing {
  package var state = State()

  package init() {}

  /// The part of the board's State that a seat follows.
  package struct Columns: Codable, Equatable, Sendable {
    package var columns: [BoardViewModel.Column]
  }

  /// The state that clients see.
  package struct State: Codable, Equatable, Sendable {
    /// The id of the board's session; or its name, after an at sign.
    package var board: String?
    package var columns: [BoardViewModel.Column] = []
    package var query = ""
    /// The Inputs that take back what this user has done, the last at the end.
    package var undo: [BoardViewModel.Input] = []
    package var notice: String?

    fileprivate var address: SessionAddress? {
      board.map { $0.hasPrefix("@") ? .named(String($0.dropFirst()), of: "board") : .id($0) }
    }
  }

  /// The inputs that clients send.
  package enum Input: Codable, Equatable, Sendable {
    case open(String), search(String), undo
    case add(text: String, to: String), move(card: Int, to: String), remove(card: Int)
  }

  /// The actions that inputs, and the board, lead to.
  package enum Action: Codable, Equatable, Sendable {
    case open(String), shown(Columns), closed, search(String), undo
    case send(BoardViewModel.Input, back: BoardViewModel.Input?), refused
  }

  private static let mostUndone = 20

  package var following: [Following<Action>] {
    guard let board = state.address else { return [] }
    return [Following(board, as: Columns.self, ended: .closed) { .shown($0) }]
  }

  package func transform(_ input: Input) -> [Action] {
    switch input {
    case .open(let board): return [.open(board)]
    case .search(let query): return [.search(query)]
    case .undo: return [.undo]
    case .add(let text, let column): return [.send(.add(text: text, to: column), back: nil)]
    case .move(let card, let column):
      return back(card).map { [.send(.move(card: card, to: column), back: $0)] } ?? []
    case .remove(let card): return back(card).map { [.send(.remove(card: card), back: $0)] } ?? []
    }
  }

  package func reduce(state: inout State, action: Action) -> [AsyncEffect<Action>] {
    switch action {
    case .open(let board): state = State(board: board)
    case .shown(let board): state.columns = board.columns
    case .closed: state = State(notice: "The board is gone.")
    case .search(let query): state.query = query
    case .refused: state.notice = "The board has not taken that."
    case .undo:
      guard let input = state.undo.popLast() else { break }
      return send(input, state)
    case .send(let input, let back):
      guard state.board != nil else { break }
      state.notice = nil
      if let back { state.undo = (state.undo + [back]).suffix(Self.mostUndone) }
      return send(input, state)
    }
    return []
  }

  private func send(_ input: BoardViewModel.Input, _ state: State) -> [AsyncEffect<Action>] {
    state.address.map { [.send(input, to: $0, ifRefused: .refused)] } ?? []
  }

  /// Returns the Input that puts a card back to where it is now.
  private func back(_ card: Int) -> BoardViewModel.Input? {
    guard let place = state.columns.place(of: card), let card = state.columns.card(card) else {
      return nil
    }
    return .restore(card, to: place.column, at: place.index)
  }
}
