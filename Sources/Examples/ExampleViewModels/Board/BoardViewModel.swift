package import UIFusionKit

/// A board of columns and cards that many share (the reducing pattern): see ``BoardSeatViewModel``.
package struct BoardViewModel: ReducerViewModel {
  package var state = State()

  private static let (mostCards, mostSeats) = (200, 100)
  /// In Unicode scalars, of which a character may have any number.
  private static let (longestName, longestText) = (40, 500)

  package init() {}

  /// Creates a board with the cards of each column.
  package init(title: String, cards: [[String]]) {
    state.title = title
    for (column, texts) in cards.enumerated() {
      for text in texts {
        state.count += 1
        state.columns[column].cards.append(Card(id: state.count, text: text))
      }
    }
  }

  package static var droppedMembers: [String] { ["visitors", "names"] }

  package struct Card: Codable, Equatable, Sendable {
    package var id: Int
    package var text: String
  }

  package struct Column: Codable, Equatable, Sendable {
    package var id: String
    package var cards: [Card] = []

    package static let all = ["To do", "Doing", "Done"].map { Column(id: $0) }
  }

  /// Someone who sits at the board, as others see them.
  package struct Person: Codable, Equatable, Sendable {
    package var name: String
  }

  /// A seat that somebody has open.
  package struct Taken: Codable, Equatable, Sendable {
    /// The id of the seat's session: a secret, as whoever knows it may use the seat.
    package var session: String
    package var name: String
  }

  /// The state that clients see, and ``Derived``.
  package struct State: Codable, Equatable, Sendable, MemberDeriving {
    package var title = "Board"
    package var columns = Column.all
    /// The number of cards added so far, and the id of the newest.
    package var count = 0
    @Private package var seats: [Taken] = []

    package struct Derived: Codable, Sendable {
      package var people: [Person]
    }

    package var derived: Derived { Derived(people: seats.map { Person(name: $0.name) }) }
  }

  /// The inputs that clients and seats send.
  package enum Input: Codable, Equatable, Sendable {
    case rename(String), add(text: String, to: String), remove(card: Int)
    /// Moves a card to a column: before another card, or to the end.
    case move(card: Int, to: String, before: Int? = nil)
    /// Puts a card back to where it was before it was moved or removed.
    case restore(Card, to: String, at: Int)
    /// Says that somebody has opened the seat that sends this, or left it.
    case sit(name: String), leave
  }

  package typealias Action = Input

  package func transform(_ input: Input) -> [Action] { [input] }

  package func reduce(state: inout State, action: Action) -> [AsyncEffect<Action>] {
    switch action {
    case .rename(let title): state.title = title.shortened(to: Self.longestText)
    case .add(let text, let column):
      guard state.columns.cards.count < Self.mostCards else { return [refusal] }
      state.count += 1
      let card = Card(id: state.count, text: text.shortened(to: Self.longestText))
      state.columns.put(card, in: column)
      return [.reply(BoardSeatViewModel.Input.added(card: card.id))]
    case .remove(let card): state.columns.take(card)
    case .move(let id, let column, let next):
      guard id != next, let card = state.columns.take(id) else { break }
      state.columns.put(card, in: column, at: next.flatMap { state.columns.place(of: $0) }?.index)
    case .restore(let card, let column, let index):
      // No other card has had this id.
      guard card.id > 0, card.id <= state.count else { break }
      let isNew = state.columns.take(card.id) == nil
      guard !isNew || state.columns.cards.count < Self.mostCards else { return [refusal] }
      let text = card.text.shortened(to: Self.longestText)
      state.columns.put(Card(id: card.id, text: text), in: column, at: index)
    case .sit(let name):
      guard let session = InputSender.session else { break }
      let taken = Taken(session: session, name: name.shortened(to: Self.longestName))
      if let place = state.seats.firstIndex(where: { $0.session == session }) {
        state.seats[place] = taken
      } else {
        state.seats = (state.seats + [taken]).suffix(Self.mostSeats)
      }
    case .leave: state.seats.removeAll { $0.session == InputSender.session }
    }
    return []
  }

  private var refusal: AsyncEffect<Action> {
    .reply(BoardSeatViewModel.Input.refused("The board is full. Remove a card first."))
  }
}

extension [BoardViewModel.Column] {
  var cards: [BoardViewModel.Card] { flatMap(\.cards) }

  /// Returns the column of a card, and the card's place there.
  func place(of id: Int) -> (column: String, index: Int)? {
    for column in self {
      if let index = column.cards.firstIndex(where: { $0.id == id }) { return (column.id, index) }
    }
    return nil
  }

  /// Removes and returns a card.
  @discardableResult
  mutating func take(_ id: Int) -> BoardViewModel.Card? {
    for column in indices {
      if let index = self[column].cards.firstIndex(where: { $0.id == id }) {
        return self[column].cards.remove(at: index)
      }
    }
    return nil
  }

  /// Puts a card into a column, the first if none has the id: at a place, or the end.
  mutating func put(_ card: BoardViewModel.Card, in id: String, at index: Int? = nil) {
    let column = firstIndex { $0.id == id } ?? 0
    let count = self[column].cards.count
    self[column].cards.insert(card, at: Swift.max(0, Swift.min(index ?? count, count)))
  }
}
