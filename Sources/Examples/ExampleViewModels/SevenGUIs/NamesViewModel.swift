package import UIFusionKit

/// The fifth of the 7GUIs, CRUD: names that are created, filtered, updated and deleted (the asynchronous pattern).
package final class NamesViewModel: AsyncViewModel {
  package var state = State()
  private let random: RandomSource

  /// The most people: each Input takes time for all.
  static let mostPeople = 1_000
  /// The longest name and prefix, in Unicode scalars, of which a character may have any number.
  private static let longestName = 80

  package init(random: RandomSource) {
    self.random = random
  }

  /// The state that clients see: the data, and the derived view of it.
  package struct State: Codable, Equatable, Sendable, MemberDeriving {
    package var people = [
      Person(id: "1", name: "Ada", surname: "Lovelace"),
      Person(id: "2", name: "Barbara", surname: "Liskov"),
      Person(id: "3", name: "Grace", surname: "Hopper"),
    ]
    package var prefix = ""
    package var selectedID: String?

    /// The members that follow from the others.
    package struct Derived: Codable, Equatable, Sendable {
      /// The people whose surname begins with the prefix, in whatever case.
      package var shown: [Person]
    }

    package var derived: Derived {
      let start = prefix.lowercased()
      return Derived(shown: people.filter { $0.surname.lowercased().hasPrefix(start) })
    }
  }

  /// An entry of the database.
  package struct Person: Codable, Equatable, Sendable {
    package let id: String
    package var name: String
    package var surname: String
  }

  /// The inputs that clients send.
  package enum Input: Codable, Sendable {
    case setPrefix(String), select(id: String?), delete
    case create(name: String, surname: String), update(name: String, surname: String)
  }

  /// The actions that inputs lead to.
  package enum Action: Codable, Sendable {
    case setPrefix(String), select(String?), add(Person), replace(Person), remove(id: String)
  }

  package func transform(_ input: Input) async -> [Action] {
    switch input {
    case .setPrefix(let prefix): [.setPrefix(short(prefix))]
    case .select(let id): [.select(id)]
    case .create(let name, let surname):
      [.add(Person(id: random.uuid(), name: short(name), surname: short(surname)))]
    case .update(let name, let surname):
      state.selectedID.map {
        [.replace(Person(id: $0, name: short(name), surname: short(surname)))]
      } ?? []
    case .delete: state.selectedID.map { [.remove(id: $0)] } ?? []
    }
  }

  private func short(_ text: String) -> String {
    String(text.unicodeScalars.prefix(Self.longestName))
  }

  package func perform(_ action: Action) async throws {
    switch action {
    case .setPrefix(let prefix): state.prefix = prefix
    case .select(let id): state.selectedID = id
    case .add(let person): if state.people.count < Self.mostPeople { state.people.append(person) }
    case .replace(let person):
      if let index = state.people.firstIndex(where: { $0.id == person.id }) {
        state.people[index] = person
      }
    case .remove(let id): state.people.removeAll { $0.id == id }
    }
    // Hidden names are not selected.
    if !state.derived.shown.contains(where: { $0.id == state.selectedID }) {
      state.selectedID = nil
    }
  }

  /// Nothing here throws.
  package func handleError(_ error: SendableError) async {}
}
