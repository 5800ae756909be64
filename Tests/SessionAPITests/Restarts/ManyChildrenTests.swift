import FusionHTTPMessages
import FusionSessions
import FusionStoreDoubles
import FusionStrictJSON
import Synchronization
import Testing
import UIFusionKit
import UIFusionServer
import UIFusionTesting

/// The costs of one child's Action among ten thousand with timers, compared with those among ten.
@Suite(.serialized) struct `Ten thousand children of a session` {
  private let store = MemorySessionStore()
  private let client: Client

  init() {
    client = Client(store: store) { catalog in
      for count in [10, 10_000] { catalog.host("rows-\(count)", summary: "") { _ in Rows(count) } }
    }
  }

  private func stored(_ path: String) throws -> StoredSession {
    let id = try #require(path.split(separator: "/").last.flatMap { SessionID(String($0)) })
    return try #require(store.stored(id))
  }

  /// Creates a session, and sends some Inputs, as the first ones cost more.
  private func session(_ count: Int) async throws -> String {
    let path = try await client.session("rows-\(count)")
    await client.clock.idle()
    for _ in 0..<3 { try await send(#"{"rows":{"id":7,"input":"count"}}"#, path) }
    return path
  }

  private func send(_ input: String, _ path: String) async throws {
    let headers: HTTPHeaders = ["Prefer": "return=minimal"]
    let answer = try await client.send(.post, path + "/inputs", input, headers: headers)
    #expect(answer.status == 204)
    await client.clock.idle()
  }

  /// Returns the bytes that are stored and streamed for one Input, and the number of rows that are encoded.
  private func costs(_ count: Int) async throws -> (stored: Int, streamed: Int, encoded: Int) {
    let path = try await session(count)
    let reader = try await client.follow(path + "/events?format=patch")
    _ = reader.read()
    let before = Rows.encoded.load(ordering: .relaxed)
    try await send(#"{"rows":{"id":9,"input":"count"}}"#, path)
    let encoded = Rows.encoded.load(ordering: .relaxed) - before
    let entry = try #require(try stored(path).entries.last)
    return (entry.size, reader.read().utf8.count, encoded)
  }

  @Test func `cost for an Action of one of them about as much as ten`() async throws {
    let (few, many) = (try await costs(10), try await costs(10_000))
    #expect(many.stored * 2 <= few.stored * 3, "\(few) \(many)")
    #expect(many.streamed * 2 <= few.streamed * 3, "\(few) \(many)")
    #expect(many.encoded <= 16, "\(few) \(many)")
  }

  @Test func `keep the names of their timers, of which an entry has only the changed ones`()
    async throws
  {
    let path = try await session(10_000)
    for input in [#"{"id":7,"input":"stop"}"#, #"{"id":9,"input":"count"}"#] {
      try await send(#"{"rows":\#(input)}"#, path)
    }
    let names = try stored(path).running
    #expect(names.count == 9_999)
    #expect(try stored(path).entries.suffix(2).allSatisfy { $0.size < 1_000 })
    let next = try await client.restarted()
    try await next.send(.post, path + "/inputs", #"{"rows":{"id":9,"input":"count"}}"#)
    await next.clock.idle()
    #expect(try stored(path).running == names)
  }

  @Test func `have all names in the head, and no entries, after an orderly stop`() async throws {
    let path = try await session(10_000)
    let names = try stored(path).running
    #expect(try stored(path).entries.contains { !$0.running.isWhole })
    client.host.closeAll()
    #expect(try stored(path).entries.isEmpty && stored(path).head.running == names)
  }

  @Test
  func
    `process an Input on the thread that brings it, but encode a whole State in the pool`()
    async throws
  {
    let pool = QueuedExecutor()
    let client = Client(executor: pool) { $0.host("rows", summary: "") { _ in Rows(10_000) } }
    let created = try client.begin(.post, "/sessions", #"{"viewModel":"rows"}"#)
    pool.run()
    let path = try #require(try await created.answer["Location"]) + "/inputs"
    let send = { (headers: HTTPHeaders) in
      try client.begin(.post, path, #"{"rows":{"id":7,"input":"count"}}"#, headers: headers)
    }
    // The first State was written in whole.
    for _ in 0..<12 {
      _ = try send([:])
      pool.run()
    }
    #expect(try send(["Prefer": "return=minimal"]).first?.status == 204)
    for headers in [[:], ["Accept-Encoding": "gzip"], ["Prefer": "return=representation"]]
      as [HTTPHeaders]
    {
      let answer = try send(headers)
      #expect(!answer.isAnswered)
      pool.run()
      // The server's thread has nothing left to encode.
      guard case .bytes = answer.first?.body else {
        Issue.record("\(headers)")
        return
      }
    }
  }
}
