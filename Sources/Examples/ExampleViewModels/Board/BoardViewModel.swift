import UIFusionKit

/// A board of columns and cards that many share (the synchronous pattern): see ``BoardSeatViewModel``.
package struct BoardViewModel: ViewModelProtocol {
  package var state = State()

  package init() {}

  package struct Card: Codable, Equatable, Sendable {
    package var id: Int
    package var text: String
  }

  package struct Column: Codable, Equatable, Sendable {
    package var id: String
    package var cards: [Card] = []
  }

  /// The state that clients see.
  package struct State: Codable, Equatable, Sendable {
    package var title = "Board"
    package var columns = [Column(id: "To do"), Column(id: "Doing"), Column(id: "Done")]
    /// The number of cards so far, by which the next one is known.
    package var count = 0
  }

  /// The inputs that clients and seats send.
  package enum Input: Codable, Equatable, Sendable {
    case rename(String), add(text: String, to: String), remove(card: Int)
    case move(card: Int, to: String)
    /// Puts a card back to where it was before it was moved or removed.
    case restore(Card, to: String, at: Int)
  }

  /// The actions that inputs lead to.
  package enum Action: Codable, Equatable, Sendable {
    case rename(String), take(card: Int), put(Card, in: String, at: Int)
    case add(text: String, to: String)
  }

  package func transform(_ input: Input) -> [Action] {
    switch input {
    case .rename(let title): [.rename(title)]
    case .add(let text, let column): [.add(text: text, to: column)]
    case .remove(let card): [.take(card: card)]
    case .move(let card, let column):
      state.columns.card(card).map { [.take(card: card), .put($0, in: column, at: .max)] } ?? []
    case .restore(let card, let column, let index):
      [.take(card: card.id), .put(card, in: column, at: index)]
    }
  }

  package mutating func perform(_ action: Action) {
    switch action {
    case .rename(let title): state.title = title
    case .add(let text, let column):
      state.count += 1
      put(Card(id: state.count, text: text), in: column, at: .max)
    case .take(let id):
      for index in state.columns.indices { state.columns[index].cards.removeAll { $0.id == id } }
    case .put(let card, let column, let index): put(card, in: column, at: index)
    }
  }

  private mutating func put(_ card: Card, in column: String, at index: Int) {
    let place = state.columns.firstIndex { $0.id == column } ?? 0
    let count = state.columns[place].cards.count
    state.columns[place].cards.insert(card, at: max(0, min(index, count)))
  }
}

extension [BoardViewModel.Column] {
  /// Returns the card with an id.
  func card(_ id: Int) -> BoardViewModel.Card? {
    lazy.flatMap(\.cards).first { $0.id == id }
  }

  /// Returns the column of a card, and the card's place there.
  func place(of id: Int) -> (column: String, index: Int)? {
    for column in self {
      if let index = column.cards.firstIndex(where: { $0.id == id }) { return (column.id, index) }
    }
    return nil
  }
}
