import FusionHTTPMessages
import FusionSessions
import FusionStoreDoubles
import Synchronization
import Testing
import UIFusionKit
import UIFusionServer
import UIFusionTesting

/// The ends that view models were told of, in order.
private final class Told: Sendable {
  private let texts = Mutex<[String]>([])
  var all: [String] { texts.withLock { $0 } }
  func add(_ text: String) { texts.withLock { $0.append(text) } }
}

/// A view model that tells at its end how often it was entered, in which session and of whom.
private struct Door: ReducerViewModel, SessionEnding {
  enum Input: Codable, Sendable { case enter }
  enum Action: Codable, Sendable { case enter, wait }
  struct State: Codable, Equatable, Sendable { var count = 0 }

  var state = State()
  let given: Dependencies
  let told: Told

  func transform(_ input: Input) -> [Action] { [.enter] }

  func reduce(state: inout State, action: Action) -> [AsyncEffect<Action>] {
    if action == .enter { state.count += 1 }
    return []
  }

  func restored(_ interrupted: Interrupted) -> [Action] { [.enter] }

  func sessionEnded() {
    let owner = given.identity.map { " of \($0)" } ?? ""
    told.add("\(given.sessionID ?? "none")\(owner) ended at \(state.count)")
  }
}

struct `A view model that is told of its session's end` {
  private let told = Told()
  private let store = MemorySessionStore()

  private func client(
    store: MemorySessionStore?,
    limits: SessionLimits = SessionLimits()
  ) -> Client {
    Client(limits: limits, store: store) { [told] catalog in
      catalog.host("door", summary: "Counts") { Door(given: $0, told: told) }
    }
  }

  private func entered(_ client: Client) async throws -> (path: String, id: String) {
    let path = try await client.session("door")
    try await client.send(.post, path + "/inputs", #""enter""#)
    return (path, String(path.dropFirst("/sessions/".count)))
  }

  private func putToSleep(_ client: Client) async {
    await client.clock.advance(by: .seconds(60))
    _ = await Task(executorPreference: client.clock.executor) {
      await client.host.sleeper.putIdleToSleep()
    }.value
    #expect(client.host.directory.awake == 0)
  }

  @Test(arguments: [true, false]) func `is told when the session is deleted`(isStored: Bool)
    async throws
  {
    let client = client(store: isStored ? store : nil)
    let (path, id) = try await entered(client)
    #expect(told.all == [])
    try await client.send(.delete, path)
    try await client.send(.delete, path)
    await client.clock.idle()
    #expect(told.all == ["\(id) ended at 1"])
  }

  @Test func `is told when the session expires asleep, and does nothing else`() async throws {
    let client = client(store: store)
    let (path, id) = try await entered(client)
    await putToSleep(client)
    #expect(told.all == [])
    await client.clock.advance(by: .seconds(1_800))
    client.host.expirer.expire()
    await client.clock.idle()
    #expect(told.all == ["\(id) ended at 1"])
    #expect(try await client.send(.get, path).status == 410)
  }

  @Test func `is told even if its stored State has a member to be dropped`() async throws {
    var limits = SessionLimits()
    limits.dropsMembers = true
    let id = try await entered(client(store: store)).id
    var stored = try #require(SessionID(id).flatMap { store.stored($0) })
    (stored.head.state, stored.entries) = (Array(#"{"count":7,"color":"red"}"#.utf8), [])
    let later = MemorySessionStore()
    later.commit(.create(stored)) { _ in }
    let client = client(store: later, limits: limits)
    await client.clock.advance(by: .seconds(1_800))
    client.host.expirer.expire()
    await client.clock.idle()
    #expect(told.all == ["\(id) ended at 7"])
  }

  @Test func `knows the identity of a session that sleeps`() async throws {
    let id = try await entered(client(store: store)).id
    var stored = try #require(SessionID(id).flatMap { store.stored($0) })
    stored.identity = "ada"
    let later = MemorySessionStore()
    later.commit(.create(stored)) { _ in }
    let client = client(store: later)
    await client.clock.advance(by: .seconds(1_800))
    client.host.expirer.expire()
    await client.clock.idle()
    #expect(told.all == ["\(id) of ada ended at 1"])
  }

  @Test func `is told when the session is deleted asleep after a restart`() async throws {
    let first = client(store: store)
    let (path, id) = try await entered(first)
    let client = try await first.restarted()
    #expect(told.all == [])
    try await client.send(.delete, path)
    await client.clock.idle()
    // The request wakes the session, which goes on before it ends.
    #expect(told.all.count == 1 && told.all.first?.hasPrefix("\(id) ended") == true)
  }

  @Test
  func `is not told when the session sleeps, the process stops or a page shows a first State`()
    async throws
  {
    let client = client(store: store)
    _ = try await entered(client)
    await putToSleep(client)
    _ = try await entered(client)
    _ = client.host.viewModels.named("door")?.firstState(client.host.dependencies)
    client.host.closeAll()
    await client.clock.idle()
    #expect(told.all == [])
  }
}
