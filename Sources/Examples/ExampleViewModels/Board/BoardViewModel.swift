package import UIFusionKit

/// A board of columns and cards that many share (the synchronous pattern): see ``BoardSeatViewModel``.
package struct BoardViewModel: ViewModelProtocol {
  package var state = State()

  /// In Unicode scalars, of which a character may have any number.
  private static let longestName = 40

  package init() {}

  package struct Card: Codable, Equatable, Sendable {
    package var id: Int
    package var text: String
  }

  package struct Column: Codable, Equatable, Sendable {
    package var id: String
    package var cards: [Card] = []
  }

  /// A visitor of the board, as others see it.
  package struct Person: Codable, Equatable, Sendable {
    /// The visitor's id; nil for an identity, whose id others do not see.
    package var id: String?
    package var name: String
    package var role: Visitor.Role
    /// Whether the name is that of an identity, and not one that was typed.
    package var isIdentified: Bool
  }

  /// The state that clients see, and ``Derived``.
  package struct State: Codable, Equatable, Sendable, MemberDeriving {
    package var title = "Board"
    package var columns = [Column(id: "To do"), Column(id: "Doing"), Column(id: "Done")]
    /// The number of cards added so far, and the id of the newest.
    package var count = 0
    @Private package var visitors: [Visitor] = []
    /// The names that were typed, by the visitors' ids.
    @Private package var names: [String: String] = [:]

    package struct Derived: Codable, Sendable {
      package var people: [Person]
    }

    package var derived: Derived {
      Derived(
        people: visitors.map { visitor in
          let isIdentified = visitor.identity != nil
          return Person(
            id: isIdentified ? nil : visitor.id,
            name: (isIdentified ? visitor.name : names[visitor.id]) ?? "",
            role: visitor.role,
            isIdentified: isIdentified
          )
        }
      )
    }
  }

  /// The inputs that clients and seats send, and the one by which the service tells of visitors.
  package enum Input: Codable, Equatable, Sendable {
    case rename(String), add(text: String, to: String), remove(card: Int)
    case move(card: Int, to: String)
    /// Puts a card back to where it was before it was moved or removed.
    case restore(Card, to: String, at: Int)
    /// Gives a name to a visitor without an identity.
    case call(person: String, name: String)
    case presence(PresenceChange)
  }

  /// The actions that inputs lead to.
  package enum Action: Codable, Equatable, Sendable {
    case rename(String), take(card: Int), put(Card, in: String, at: Int)
    case add(text: String, to: String)
    case call(person: String, name: String), presence(PresenceChange)
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
    case .call(let person, let name): [.call(person: person, name: name)]
    case .presence(let change): [.presence(change)]
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
    case .call(let person, let name):
      // Only for visitors who are present, so that the number of names is limited.
      guard state.visitors.contains(where: { $0.id == person && $0.identity == nil }) else { break }
      state.names[person] = String(name.unicodeScalars.prefix(Self.longestName))
    case .presence(let change):
      change.update(&state.visitors)
      let ids = Set(state.visitors.map(\.id))
      state.names = state.names.filter { ids.contains($0.key) }
    }
  }

  private mutating func put(_ card: Card, in column: String, at index: Int) {
    let place = state.columns.firstIndex { $0.id == column } ?? 0
    let count = state.columns[place].cards.count
    state.columns[place].cards.insert(card, at: max(0, min(index, count)))
  }
}

extension BoardViewModel: PresenceObserving {
  package static func input(for change: PresenceChange) -> Input? { .presence(change) }
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
