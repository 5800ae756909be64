import FusionHTTPMessages
import FusionSessions
import FusionStoreDoubles
import Synchronization
import Testing
import UIFusionKit
import UIFusionServer
import UIFusionTesting

/// A view model that starts to load in a new session.
private struct Loader: ReducerViewModel {
  enum Input: Codable, Sendable { case clear }
  enum Action: Sendable { case load, loaded, clear }
  struct State: Codable, Equatable, Sendable {
    var isLoading = false
    var loads = 0
  }

  let time: any TimeSource
  var state = State()

  func started() -> [Action] { [.load] }
  func transform(_ input: Input) -> [Action] { [.clear] }

  func reduce(state: inout State, action: Action) -> [AsyncEffect<Action>] {
    switch action {
    case .load:
      state.isLoading = true
      return [.sleepThen(for: .seconds(1), action: .loaded)]
    case .loaded: state = State(loads: state.loads + 1)
    case .clear: state.loads = 0
    }
    return []
  }
}

/// A view model that notes its starts and restores outside of its State.
private struct Visitor: ViewModelProtocol {
  enum Input: Codable, Sendable { case look }
  enum Action: Sendable { case visit, comeBack }
  struct State: Codable, Equatable, Sendable { var looks = 0 }

  final class Visits: Sendable {
    let list = Mutex<[String]>([])
  }

  let visits: Visits
  var state = State()

  func started() -> [Action] { [.visit] }
  func restored(_ interrupted: Interrupted) -> [Action] { [.comeBack] }
  func transform(_ input: Input) -> [Action] { [] }
  mutating func perform(_ action: Action) { visits.list.withLock { $0.append("\(action)") } }
}

struct `A session whose view model starts work` {
  private let store = MemorySessionStore()
  private let client: Client

  init() {
    client = Client(store: store) {
      $0.host("loader", summary: "") { Loader(time: $0.time) }
    }
  }

  @Test(arguments: [true, false])
  func `is created with the State of that work up to where it waits`(isStored: Bool) async throws {
    let client = Client(store: isStored ? store : nil) {
      $0.host("loader", summary: "") { Loader(time: $0.time) }
    }
    let created = try await client.send(.post, "/sessions", #"{"viewModel":"loader"}"#)
    #expect(created.status == 201 && created["ETag"] == "\"2\"")
    #expect(
      created.text.contains(#""version":2,"state":{"isLoading":true,"loads":0},"settled":false"#)
    )
  }

  @Test(arguments: [.unreachable("gone"), .inDoubt, .full, .fenced] as [StoreError])
  func `is created even if the store refuses that work's first State`(error: StoreError)
    async throws
  {
    let pool = QueuedExecutor()
    let client = Client(store: store, executor: pool) {
      $0.host("loader", summary: "") { Loader(time: $0.time) }
    }
    let pending = try client.begin(.post, "/sessions", #"{"viewModel":"loader"}"#)
    // The session is stored, and its work is yet to run.
    client.lifeline?.fail(error)
    pool.run()
    let created = try await pending.answer
    #expect(created.status == 201 && created["ETag"] == "\"1\"")
    #expect(created.text.contains(#""isLoading":false,"loads":0"#))
  }

  @Test func `works without an Input`() async throws {
    let path = try await client.session("loader")
    await client.clock.idle()
    #expect(try await client.send(.get, path).text.contains(#""isLoading":true"#))
    await client.clock.advance(by: .seconds(1))
    #expect(try await client.send(.get, path).text.contains(#""isLoading":false,"loads":1"#))
  }

  @Test func `does not start again after a restart`() async throws {
    let path = try await client.session("loader")
    await client.clock.advance(by: .seconds(1))
    let next = try await client.restarted()
    await next.clock.advance(by: .seconds(5))
    #expect(try await next.send(.get, path).text.contains(#""isLoading":false,"loads":1"#))
    await next.clock.advance(by: .seconds(5))
    #expect(try await next.send(.get, path).text.contains(#""loads":1"#))
  }

  @Test func `starts once, even if that does not change State`() async throws {
    let visits = Visitor.Visits()
    let client = Client(store: store) {
      $0.host("visitor", summary: "") { _ in Visitor(visits: visits) }
    }
    let path = try await client.session("visitor")
    await client.clock.idle()
    let next = try await client.restarted()
    _ = try await next.send(.get, path)
    await next.clock.idle()
    #expect(visits.list.withLock { $0 } == ["visit", "comeBack"])
  }

  @Test func `starts in the next process if its own was killed before the start`() async throws {
    // Its pool never runs, so only the session itself is stored.
    let client = Client(store: store, executor: QueuedExecutor()) {
      $0.host("loader", summary: "") { Loader(time: $0.time) }
    }
    let pending = try client.begin(.post, "/sessions", #"{"viewModel":"loader"}"#)
    #expect(!pending.isAnswered)
    let id = try #require(try store.inventory().sessions.first?.id)
    let path = "/sessions/\(id)"
    let next = try await client.restarted()
    _ = try await next.send(.get, path)
    await next.clock.advance(by: .seconds(1))
    #expect(try await next.send(.get, path).text.contains(#""loads":1"#))
  }

  @Test func `shows the State before the start as its first`() async throws {
    let page = try await client.send(.get, "/view-models/loader")
    #expect(page.text.contains(#""first":{"isLoading":false,"loads":0}"#))
  }
}

/// A view model whose first State cannot be written.
private struct Immeasurable: ViewModelProtocol {
  enum Input: Codable, Sendable { case add }
  typealias Action = Input
  struct State: Codable, Equatable, Sendable { var share = 0.0 / 0.0 }

  var state = State()

  func transform(_ input: Input) -> [Input] { [input] }
  mutating func perform(_ action: Input) {}
}

struct `A view model whose first State cannot be written` {
  private let client = Client {
    $0.host("immeasurable", summary: "") { _ in Immeasurable() }
  }

  @Test func `has no session, and the refusal says why`() async throws {
    let refused = try await client.send(.post, "/sessions", #"{"viewModel":"immeasurable"}"#)
    #expect(refused.status == 500)
    #expect(try refused.member("type") == "/problems/state-not-writable")
    #expect(try refused.member("member") == "share")
  }

  @Test func `does not show null as its first State`() async throws {
    let page = try await client.send(.get, "/view-models/immeasurable")
    #expect(page.status == 200)
    #expect(!page.text.contains(#""first":null"#))
  }
}
