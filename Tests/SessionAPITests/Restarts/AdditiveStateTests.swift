import Foundation
import FusionHTTPMessages
import FusionSessions
import FusionStoreDoubles
import Synchronization
import Testing
import UIFusionKit
import UIFusionServer
import UIFusionTesting

/// The shelf that was stored.
private struct Shelf: ViewModelProtocol {
  enum Input: Codable, Sendable { case add(String), note(Int) }
  typealias Action = Input
  struct State: Codable, Equatable, Sendable {
    var books: [Book] = []
    var notes: [Int: Note] = [:]
    struct Book: Codable, Equatable, Sendable { var title: String }
    struct Note: Codable, Equatable, Sendable { var text: String }
  }

  var state = State()

  func transform(_ input: Input) -> [Input] { [input] }
  mutating func perform(_ action: Input) {
    switch action {
    case .add(let title): state.books.append(State.Book(title: title))
    case .note(let count):
      for number in 0..<count { state.notes[number] = State.Note(text: "") }
    }
  }
}

/// A ``Shelf`` with more members: with a default, optional, a pulse, and in elements.
private struct WiderShelf: ViewModelProtocol {
  enum Input: Codable, Sendable { case add(String) }
  typealias Action = Input
  struct State: Codable, Equatable, Sendable {
    var books: [Book] = []
    var notes: [Int: Note] = [:]
    var width = 80
    var owner: String?
    @Pulse var notice = "none"
    struct Book: Codable, Equatable, Sendable {
      var title: String
      var isRead = false
      var marks: [Mark] = []
    }
    enum Mark: String, Codable, Sendable { case none, star }
    struct Note: Codable, Equatable, Sendable {
      var text: String
      var isPinned = false
    }
  }

  var state = State()

  func transform(_ input: Input) -> [Input] { [input] }
  mutating func perform(_ action: Input) {
    if case .add(let title) = action { state.books.append(State.Book(title: title)) }
  }
}

/// A ``Shelf`` with a member that has no neutral value.
private struct DatedShelf: ViewModelProtocol {
  enum Input: Codable, Sendable { case add }
  typealias Action = Input
  struct State: Codable, Equatable, Sendable {
    var books: [Book] = []
    var notes: [Int: String] = [:]
    struct Book: Codable, Equatable, Sendable {
      var title: String
      var shelf: Place
    }
    struct Place: Codable, Equatable, Sendable {
      let row: Int
      init(from decoder: any Decoder) throws {
        row = try decoder.singleValueContainer().decode(Int.self)
        guard row > 0 else { throw Unplaced() }
      }
    }
    struct Unplaced: Error {}
  }

  var state = State()

  func transform(_ input: Input) -> [Input] { [input] }
  mutating func perform(_ action: Input) {}
}

struct `A stored State that lacks members` {
  private let store = MemorySessionStore()

  private func path(in client: Client) async throws -> String {
    let path = try await client.session("shelf")
    for title in ["A", "B"] {
      _ = try await client.send(.post, path + "/inputs", #"{"add":"\#(title)"}"#)
    }
    return path
  }

  private func hosted<Model: ViewModel>(_ model: Model) -> [HostedViewModel]
  where Model: Sendable, Model.Input: Codable, Model.State: Codable {
    var catalog = ViewModelCatalog()
    catalog.host("shelf", summary: "") { _ in model }
    return catalog.viewModels
  }

  @Test func `takes them from a fresh State, and neutral values in a list's elements`()
    async throws
  {
    let client = Client(store: store) { $0.host("shelf", summary: "") { _ in Shelf() } }
    let path = try await path(in: client)
    let next = try await client.restarted(hosting: hosted(WiderShelf()))
    let answer = try await next.send(.get, path)
    #expect(answer.status == 200)
    #expect(
      answer.text.contains(
        #""state":{"books":[{"title":"A","isRead":false,"marks":[]},"#
          + #"{"title":"B","isRead":false,"marks":[]}],"notes":{},"width":80,"owner":null,"#
          + #""notice":{"value":"none","pulse":0}}"#
      )
    )
    // The completed State is a new version, and stored.
    #expect(answer.text.contains(#""version":4"#))
    let again = try await next.restarted(hosting: hosted(WiderShelf()))
    #expect(try await again.send(.get, path).text == answer.text)
  }

  @Test func `takes neutral values in every entry of a large dictionary`() async throws {
    let client = Client(store: store) { $0.host("shelf", summary: "") { _ in Shelf() } }
    let path = try await client.session("shelf")
    _ = try await client.send(.post, path + "/inputs", #"{"note":100}"#)
    let next = try await client.restarted(hosting: hosted(WiderShelf()))
    let answer = try await next.send(.get, path)
    #expect(answer.status == 200)
    #expect(answer.text.components(separatedBy: #"{"text":"","isPinned":false}"#).count == 101)
  }

  @Test func `is refused if a member has no neutral value`() async throws {
    let client = Client(store: store) { $0.host("shelf", summary: "") { _ in Shelf() } }
    let path = try await path(in: client)
    let next = try await client.restarted(hosting: hosted(DatedShelf()))
    let answer = try await next.send(.get, path)
    #expect(answer.status == 410)
    #expect(try answer.member("type") == "/problems/unreadable-session")
  }

  @Test func `is reported at the start, with the members that it lacks`() async throws {
    let client = Client(store: store) { $0.host("shelf", summary: "") { _ in Shelf() } }
    _ = try await path(in: client)
    let told = Mutex<[String]>([])
    let host = SessionHost(
      hosted(WiderShelf()),
      dependencies: TestClock().dependencies,
      store: store,
      inventory: try store.inventory(),
      report: { event in
        if case .changed(let viewModel, let changes) = event {
          told.withLock { $0 += [viewModel] + changes.added }
        }
      }
    )
    await host.storedStateCheck.run()
    #expect(
      told.withLock { $0 }
        == ["shelf", "books.*.isRead", "books.*.marks", "width", "notice"]
    )
  }
}
