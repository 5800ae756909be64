import FusionHTTPMessages
import FusionSessions
import FusionStoreDoubles
import Testing
import UIFusionKit
import UIFusionServer

/// The shelf that was stored.
private struct Shelf: ViewModelProtocol {
  enum Input: Codable, Sendable { case begin }
  typealias Action = Input
  struct State: Codable, Equatable, Sendable {
    var title = "today"
    var owner: Owner? = Owner()
    var phase = Phase.loaded(Page())
    var boxes = [Box(hint: "a"), Box(hint: "b")]
    var byName = ["x": Box(hint: "c"), "hint": Box(hint: "d")]
    var first = 1
    var second = 2
    struct Owner: Codable, Equatable, Sendable { var name = "Ann" }
    enum Phase: Codable, Equatable, Sendable { case loading, loaded(Page) }
    struct Page: Codable, Equatable, Sendable { var number = 1 }
    struct Box: Codable, Equatable, Sendable { var hint: String }
  }

  var state = State()

  func transform(_ input: Input) -> [Input] { [input] }
  mutating func perform(_ action: Input) {}
}

/// A ``Shelf`` with new names at every depth.
private struct NewShelf: ViewModelProtocol {
  typealias Input = Shelf.Input
  typealias Action = Input
  struct State: Codable, Equatable, Sendable {
    var name = "new"
    var owner: Owner?
    var phase = Phase.loading
    var crates: [Box] = []
    var byName: [String: Box] = [:]
    var second = 0
    var third = 0
    struct Owner: Codable, Equatable, Sendable { var called = "nobody" }
    enum Phase: Codable, Equatable, Sendable { case loading, loaded(Page) }
    struct Page: Codable, Equatable, Sendable { var index = 7 }
    struct Box: Codable, Equatable, Sendable { var text: String }
  }

  static var renamedMembers: [String: String] {
    [
      "title": "name", "owner.name": "called", "phase.loaded.number": "index",
      "boxes": "crates", "boxes.*.hint": "text", "byName.*.hint": "text", "gone.away": "here",
      "first": "second", "second": "third",
    ]
  }

  var state = State()

  func transform(_ input: Input) -> [Input] { [input] }
  mutating func perform(_ action: Input) {}
}

/// A ``Shelf`` that has both the old name and the new one.
private struct TwiceNamed: ViewModelProtocol {
  typealias Input = Shelf.Input
  typealias Action = Input
  struct State: Codable, Equatable, Sendable {
    var title = "x"
    var owner: Shelf.State.Owner?
    var phase = Shelf.State.Phase.loading
    var boxes: [Shelf.State.Box] = []
    var first = 1
    var second = 2
  }

  static var renamedMembers: [String: String] { ["byName": "title"] }

  var state = State()

  func transform(_ input: Input) -> [Input] { [input] }
  mutating func perform(_ action: Input) {}
}

struct `A stored member that has a new name` {
  private let store = MemorySessionStore()

  private func deployed<Model: ViewModel & Sendable>(_ model: Model) async throws -> (
    Client, String
  )
  where Model.Input: Codable, Model.State: Codable {
    let client = Client(store: store) { $0.host("shelf", summary: "") { _ in Shelf() } }
    let path = try await client.session("shelf")
    var catalog = ViewModelCatalog()
    catalog.host("shelf", summary: "") { _ in model }
    return (try await client.restarted(hosting: catalog.viewModels), path)
  }

  @Test func `takes its value along, at every depth`() async throws {
    let (client, path) = try await deployed(NewShelf())
    let answer = try await client.send(.get, path)
    #expect(
      answer.text.contains(
        #""state":{"name":"today","owner":{"called":"Ann"},"phase":{"loaded":{"index":1}},"#
          + #""crates":[{"text":"a"},{"text":"b"}],"byName":{"hint":{"text":"d"},"x":{"text":"c"}},"#
          + #""second":1,"third":2}"#
      ),
      "\(answer.text)"
    )
    // The changed State is a new version, and stored.
    #expect(answer.text.contains(#""version":2"#))
    let again = try await client.restarted()
    #expect(try await again.send(.get, path).text == answer.text)
  }

  @Test func `does not replace a member that has the name already`() async throws {
    let (client, path) = try await deployed(TwiceNamed())
    let answer = try await client.send(.get, path)
    #expect(answer.status == 410)
    #expect(try answer.member("type") == "/problems/unreadable-session")
  }
}
