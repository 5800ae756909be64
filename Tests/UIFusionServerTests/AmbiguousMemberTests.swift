import Testing
import UIFusionKit
import UIFusionServer

struct `A service whose State has two members with one name` {
  @Test func `does not start, and names the member and the remedy`() {
    var catalog = ViewModelCatalog()
    catalog.host("board", summary: "Cards") { _ in BoardViewModel() }
    var configuration = Configuration()
    configuration.port = 0
    configuration.data = .memory
    configuration.logLevel = .error
    let error = #expect(throws: ServiceError.self) { try Service(catalog, configuration) }
    #expect(
      error?.description == """
        the State of board has a stored and a derived member of one name, Card.title: rename one of the two
        """
    )
  }
}

private struct BoardViewModel: ViewModelProtocol {
  enum Input: Codable, Sendable { case add }
  typealias Action = Input

  struct State: Codable, Equatable, Sendable, MemberDeriving {
    var cards: [Card] = []

    struct Derived: Codable { var isEmpty: Bool }
    var derived: Derived { Derived(isEmpty: cards.isEmpty) }
  }

  struct Card: Codable, Equatable, Sendable, MemberDeriving {
    var title = ""

    struct Derived: Codable { var title: String }
    var derived: Derived { Derived(title: title.uppercased()) }
  }

  var state = State()

  func transform(_ input: Input) -> [Input] { [input] }
  mutating func perform(_ action: Input) { state.cards.append(Card()) }
}
