import FusionHTTPMessages
import FusionSessionAPI
import FusionStoreDoubles
import Testing
import UIFusionKit
import UIFusionServer
import UIFusionTesting

@testable import FusionSessions

/// A session created from another's past.
struct `A fork` {
  private let store = MemorySessionStore()
  private let client: Client

  init() {
    client = Client(store: store) { catalog in
      catalog.host("alarm", summary: "") { _ in `Work that was interrupted twice`.Alarm() }
    }
  }

  /// Returns the path of a session that waits for its alarm, and its current past.
  private func waiting() async throws -> (path: String, PastSession) {
    let path = try await client.session("alarm")
    try await client.send(.post, path + "/inputs", #"{"set":""}"#)
    let id = try #require(SessionID(String(path.suffix(22))))
    let stored = try #require(store.stored(id))
    guard case .found(let past) = try PastLookup(stored, log: stored.entries, at: .newest, .json)
    else { throw StoreError.closed }
    return (path, past)
  }

  private func fork(_ past: PastSession, carriesWork: Bool) async throws -> Session {
    try await withCheckedThrowingContinuation { continuation in
      client.host.forker.fork(past, carriesWork: carriesWork) { continuation.resume(with: $0) }
    }
  }

  @Test(arguments: [false, true])
  func `resumes the work of its origin if that is carried`(carriesWork: Bool) async throws {
    let (path, past) = try await waiting()
    #expect(!past.head.running.isEmpty)
    let fork = try await fork(past, carriesWork: carriesWork)
    let text = { try await client.send(.get, $0).text }
    #expect(try await text("/sessions/\(fork.id)").contains(#""isSet":true,"hasRung":false"#))
    await client.clock.advance(by: .seconds(10))
    let rung = #""hasRung":\#(carriesWork)"#
    #expect(try await text("/sessions/\(fork.id)").contains(rung))
    // The origin has rung once, at the version that it would have without the fork.
    #expect(try await text(path).contains(#""version":3,"state":{"isSet":true,"hasRung":true"#))
  }

  @Test func `has the alarms, but not the messages, of its origin if work is carried`() async throws
  {
    var (_, past) = try await waiting()
    let name = Array("an alarm".utf8)
    past.session.alarms = [
      StoredAlarm(
        Message(1, to: .id(""), []).name.bytes,
        at: WallTime(milliseconds: 0),
        Array("1".utf8)
      ),
      StoredAlarm(name, at: WallTime(milliseconds: 7), Array("2".utf8)),
    ]
    let id = SessionID(high: 0, low: 1)
    let carried = past.fork(id, carriesWork: true, at: past.time).alarms
    #expect(carried == [StoredAlarm(name, at: WallTime(milliseconds: 7), Array("2".utf8))])
    #expect(past.fork(id, carriesWork: false, at: past.time).alarms.isEmpty)
  }

  @Test func `counts towards its client's limit, and is refused while the service stops`()
    async throws
  {
    var options = SessionAPI.Options()
    options.clients.sessions = 2
    options.inspector = SessionInspector(on: { $0() }) { [store] in MemorySessionArchive(store) }
    let client = Client(options: options, store: store) { catalog in
      catalog.host("alarm", summary: "") { _ in `Work that was interrupted twice`.Alarm() }
    }
    func send(_ path: String, _ body: String, from address: String) async throws -> Answer {
      try await client.send(.post, path, body, from: address)
    }
    let (ada, bob) = ("203.0.113.7", "203.0.113.8")
    let created = try await send("/sessions", #"{"viewModel":"alarm"}"#, from: ada)
    let path = try #require(created["Location"]) + "/forks"
    #expect(try await send(path, "{}", from: ada).status == 201)
    #expect(try await send(path, "{}", from: ada).status == 429)
    client.api.drain()
    let late = try await send(path, "{}", from: bob)
    #expect(late.status == 503 && late.text.contains("/problems/draining"))
  }

  @Test func `is not created if the limit of sessions is reached`() async throws {
    var limits = SessionLimits()
    limits.sessions = 1
    let (_, past) = try await waiting()
    let client = Client(limits: limits, store: MemorySessionStore()) { catalog in
      catalog.host("alarm", summary: "") { _ in `Work that was interrupted twice`.Alarm() }
    }
    _ = try await client.session("alarm")
    await #expect(throws: Creator.SessionLimitReached.self) {
      try await withCheckedThrowingContinuation { continuation in
        client.host.forker.fork(past, carriesWork: false) { continuation.resume(with: $0) }
      }
    }
    #expect(client.host.directory.count == 1)
  }

  @Test func `is not created if its State cannot be read`() async throws {
    var (_, past) = try await waiting()
    past.head.state = Array(#"{"isSet":7}"#.utf8)
    await #expect(throws: WakeFailure.self) { try await fork(past, carriesWork: false) }
    #expect(client.host.directory.count == 1)
    #expect(try store.inventory().sessions.count == 1)
  }

  @Test func `is not created while memory is full, however small it is`() async throws {
    let (_, past) = try await waiting()
    client.host.memory.set(isFull: true)
    await #expect(throws: MemoryFull.self) { try await fork(past, carriesWork: false) }
    #expect(client.host.directory.count == 1)
  }

  @Test func `is not created if the store refuses it`() async throws {
    let (_, past) = try await waiting()
    client.lifeline?.fail(.full)
    await #expect(throws: StoreError.full) { try await fork(past, carriesWork: false) }
    #expect(client.host.directory.count == 1)
  }
}
