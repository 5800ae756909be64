import FusionExampleViewModels
import FusionHTTPMessages
import FusionSessionAPI
import FusionSessions
import FusionStoreDoubles
import FusionStrictJSON
import Testing
import UIFusionKit
import UIFusionServer
import UIFusionTesting

/// A view model with events of every kind.
private struct Busy: ReducerViewModel {
  enum Input: Codable, Sendable {
    case search, stop, fail, tick, remind, keep(Secret<String>), fill(String), grow, nothing
  }

  enum Action: Codable, Sendable {
    case search, stop, fail, tick, ticked, remind, reminded, found, keep(Secret<String>), fill(
      String
    ), grow, nothing
  }

  struct State: Codable, Equatable, Sendable {
    var count = 0
    @Secret var secret = ""
    var text = ""
  }

  struct Failure: Error {}

  var state = State()
  let time: any TimeSource

  func transform(_ input: Input) -> [Action] {
    switch input {
    case .search: [.search]
    case .stop: [.stop]
    case .fail: [.fail]
    case .tick: [.tick]
    case .remind: [.remind]
    case .keep(let secret): [.keep(secret)]
    case .fill(let text): [.fill(text)]
    case .nothing: [.nothing]
    case .grow: [.grow]
    }
  }

  func reduce(state: inout State, action: Action) -> [AsyncEffect<Action>] {
    switch action {
    case .search:
      return [
        .runAction(id: "search") { [time] in
          try await time.sleep(for: .seconds(2))
          return .found
        }
      ]
    case .stop: return [.cancel(id: "search"), .cancel(id: "clock")]
    case .fail: return [.run(id: "search") { _ in throw Failure() }]
    case .tick: return [.timer(id: "clock", every: .seconds(1), action: .ticked)]
    case .remind: return [.alarm(id: "later", after: .seconds(60), .reminded)]
    case .found, .ticked, .reminded: state.count += 1
    case .keep(let secret): state.secret = secret.wrappedValue
    case .fill(let text): state.text = text
    case .grow: return [.runAction(id: "grow") { .fill(String(repeating: "y", count: 2_000)) }]
    case .nothing: break
    }
    return []
  }
}

struct `The trace of a session` {
  private static func client(
    store: MemorySessionStore? = MemorySessionStore(),
    stateLimit: Int = SessionLimits().state,
    isWatchable: Bool = true
  ) -> Client {
    var limits = SessionLimits()
    limits.state = stateLimit
    return Client(
      limits: limits,
      store: store,
      hosting: { $0.host("busy", summary: "Is busy") { Busy(time: $0.time) } },
      isWatchable: isWatchable
    )
  }

  private let client = Self.client()

  /// Returns the names and data of the events that are ready, without parts that differ from run to run.
  private func events(_ reader: Reader) async -> [String] {
    await client.clock.idle()
    let text = reader.read().replacing(/"time":"[^"]*",?/, with: "")
      .replacing(/"cause":"[0-9a-z]+-/, with: "\"cause\":\"")
    return text.split(separator: "\n\n").compactMap { event in
      let lines = event.split(separator: "\n")
      let name = lines.first { $0.hasPrefix("event: ") }?.dropFirst(7)
      let data = lines.first { $0.hasPrefix("data: ") }?.dropFirst(6)
      return name.map { "\($0) \(data ?? "")" }
    }
  }

  private func follow(_ path: String, after id: String? = nil) async throws -> Reader {
    try await client.follow(path + "/trace", headers: id.map { ["Last-Event-ID": $0] } ?? [:])
  }

  private func send(_ input: String, to path: String) async throws {
    #expect(try await client.send(.post, path + "/inputs", input).status == 200)
  }

  @Test func `names a child's effect as people read it`() async throws {
    let client = Client(
      store: MemorySessionStore(),
      hosting: { $0.host("shop", summary: "Sells") { ShopViewModel(time: $0.time) } },
      isWatchable: true
    )
    let path = try await client.session("shop")
    let reader = try await client.follow(path + "/trace", headers: [:])
    await client.clock.idle()
    for input in [#"{"add":{"productID":"tea"}}"#, #""checkOut""#] {
      _ = try await client.send(.post, path + "/inputs", input)
    }
    await client.clock.idle()
    let text = reader.read()
    #expect(text.contains(#/"name":"checkOut/[\w.]*\.pay"/#), "\(text)")
  }

  @Test(arguments: [true, false])
  func `begins with the running effects and the alarms, and tells each Input and Action`(
    isStored: Bool
  ) async throws {
    let store = MemorySessionStore()
    let client = Self.client(store: isStored ? store : nil)
    let path = try await client.session("busy")
    for input in [#""search""#, #""remind""#] {
      _ = try client.begin(
        .post,
        path + "/inputs",
        input,
        headers: ["Prefer": "respond-async"]
      )
    }
    await client.clock.advance(by: .seconds(1))
    let reader = try await client.follow(path + "/trace")
    await client.clock.idle()
    let first = reader.read()
    #expect(first.contains(#""isAwake":true,"running":[{"effect":"#), "\(first)")
    #expect(first.contains(#""kind":"run","name":"Swift.String.search","since":""#), "\(first)")
    // The store has the same name, for a sleeping session.
    let id = try #require(SessionID(String(path.dropFirst("/sessions/".count))))
    if isStored { #expect(try store.stored(id)?.running == ["Swift.String.search"]) }
    #expect(first.contains(#""alarms":[{"alarm":"later","due":""#), "\(first)")
    #expect(first.contains(#""action":"reminded""#))
    _ = try await client.send(.post, path + "/inputs", #"{"fill":"x"}"#)
    let next = reader.read()
    #expect(next.contains(#""version":2,"input":{"fill":"x"}"#), "\(next)")
    #expect(next.contains(#""action":{"fill":"x"}"#))
  }

  @Test func `tells how effects start and end, and which Action comes from which effect`()
    async throws
  {
    let path = try await client.session("busy")
    let reader = try await follow(path)
    #expect(
      await events(reader) == [#"session {"version":1,"isAwake":true,"running":[],"alarms":[]}"#]
    )
    _ = try client.begin(.post, path + "/inputs", #""search""#)
    #expect(
      await events(reader) == [
        #"input {"version":1,"input":"search"}"#,
        #"action {"version":1,"cause":"2","action":"search"}"#,
        #"effect {"version":1,"cause":"2","effect":2,"kind":"run","name":"Swift.String.search","step":"started"}"#,
      ]
    )
    await client.clock.advance(by: .seconds(2))
    #expect(
      await events(reader) == [
        #"action {"version":2,"cause":"4","action":"found","sent":true,"effect":2}"#,
        #"effect {"version":2,"cause":"4","effect":2,"kind":"run","name":"Swift.String.search","step":"ended"}"#,
      ]
    )
    _ = try client.begin(.post, path + "/inputs", #""tick""#)
    _ = await events(reader)
    await client.clock.advance(by: .seconds(1))
    #expect(await events(reader).contains { $0.contains(#""action":"ticked","sent":true"#) })
    _ = try client.begin(.post, path + "/inputs", #""stop""#)
    let stopped = await events(reader)
    #expect(
      stopped[2].contains(#""kind":"timer","name":"Swift.String.clock","step":"cancelled""#),
      "\(stopped)"
    )
    try await send(#""fail""#, to: path)
    let failed = await events(reader)
    #expect(failed.contains { $0.contains(#""step":"failed""#) }, "\(failed)")
    #expect(failed.last?.hasPrefix("error ") == true, "\(failed)")
  }

  @Test func `misses no event, even if those told before are dropped`() async throws {
    let client = Self.client(store: nil)
    let path = try await client.session("busy")
    let reader = try await client.follow(path + "/trace")
    // One Input and its Action fit into the 64 KiB that are kept, two do not.
    let text = String(repeating: "x", count: 30_000)
    for _ in 0..<3 {
      _ = try await client.send(.post, path + "/inputs", #"{"fill":"\#(text)"}"#)
      await client.clock.idle()
      let told = reader.read()
      #expect(told.contains(#""input":{"fill""#) && told.contains(#""action":{"fill""#))
      #expect(!told.contains("cut"))
    }
  }

  @Test func `tells how alarms are set and ring`() async throws {
    let path = try await client.session("busy")
    let reader = try await follow(path)
    _ = await events(reader)
    let ringing = Task(executorPreference: client.clock.executor) { [host = client.host] in
      try await host.alarmWaker.run()
    }
    defer { ringing.cancel() }
    try await send(#""remind""#, to: path)
    let set = await events(reader)
    #expect(set.last?.contains(#""action":"reminded","step":"set""#) == true, "\(set)")
    await client.clock.advance(by: .seconds(60))
    let rang = await events(reader)
    #expect(rang.first?.contains(#""alarm":"later","step":"rang""#) == true, "\(rang)")
    #expect(rang.last == #"action {"version":2,"cause":"5","action":"reminded","sent":true}"#)
  }

  @Test func `has nothing of a turn that was rolled back`() async throws {
    let client = Self.client(stateLimit: 1_000)
    let path = try await client.session("busy")
    let reader = try await client.follow(path + "/trace")
    _ = try await client.send(.post, path + "/inputs", #""grow""#)
    await client.clock.idle()
    let text = reader.read()
    #expect(text.contains(#""action":"grow""#) && !text.contains("yyy"), "\(text)")
  }

  @Test func `masks secrets`() async throws {
    let path = try await client.session("busy")
    let reader = try await follow(path)
    try await send(#"{"keep":"swordfish"}"#, to: path)
    let text = await events(reader).joined()
    #expect(text.contains("••••") && !text.contains("swordfish"), "\(text)")
  }

  @Test func `tells a slow reader how many events it has missed`() async throws {
    let path = try await client.session("busy")
    let reader = try await follow(path)
    _ = await events(reader)
    let text = String(repeating: "x", count: 40_000)
    for number in 1...10 { try await send(#"{"fill":"\#(number)\#(text)"}"#, to: path) }
    let late = await events(reader)
    #expect(late.first?.hasPrefix(#"dropped {"count":"#) == true, "\(late.map { $0.prefix(60) })")
    #expect(late.joined().utf8.count < 300_000)
    #expect(late.last?.contains("10xxx") == true)
  }

  @Test func `resumes after the last event that the client has`() async throws {
    let path = try await client.session("busy")
    let reader = try await follow(path)
    try await send(#""nothing""#, to: path)
    let text = reader.read()
    let id = try #require(text.split(separator: "\n").last { $0.hasPrefix("id: ") }?.dropFirst(4))
    reader.close()
    try await send(#"{"fill":"meanwhile"}"#, to: path)
    let next = try await follow(path, after: String(id))
    #expect(await events(next).first?.contains("meanwhile") == true)
    next.close()
    // Without a reader, events are kept for 30 s.
    await client.clock.advance(by: .seconds(31))
    let last = try await follow(path, after: String(id))
    #expect(await events(last).first == #"dropped {"count":null}"#)
  }

  @Test func `waits while the session sleeps, and does not keep it awake`() async throws {
    let path = try await client.session("busy")
    let reader = try await follow(path)
    _ = await events(reader)
    await client.clock.advance(by: .seconds(61))
    #expect(await client.host.sleeper.putIdleToSleep() == 1)
    #expect(await events(reader) == [#"session {"isAwake":false}"#])
    #expect(client.host.directory.awake == 0)
    try await send(#"{"fill":"up"}"#, to: path)
    let woken = await events(reader)
    #expect(woken.first?.contains(#""isAwake":true"#) == true, "\(woken)")
    #expect(woken.contains { $0.contains(#""input":{"fill":"up"}"#) })
  }

  @Test func `does not tell of later readers`() async throws {
    let path = try await client.session("busy")
    let first = try await follow(path)
    let session = #"session {"version":1,"isAwake":true,"running":[],"alarms":[]}"#
    #expect(await events(first) == [session])
    let second = try await follow(path)
    #expect(await events(second) == [session])
    #expect(await events(first).isEmpty)
    try await send(#""nothing""#, to: path)
    #expect(await events(first) == events(second))
  }

  @Test func `ends with the session`() async throws {
    let path = try await client.session("busy")
    let reader = try await follow(path)
    _ = await events(reader)
    #expect(try await client.send(.delete, path).status == 204)
    #expect(await events(reader).first == #"end {"reason":"deleted"}"#)
    #expect(reader.readChunks().isEnd)
    #expect(try await client.send(.get, path + "/trace").status == 410)
  }

  @Test func `is not served without the inspector`() async throws {
    let client = Self.client(isWatchable: false)
    let path = try await client.session("busy")
    #expect(try await client.send(.get, path + "/trace").status == 404)
    #expect(!(try await client.send(.get, "/openapi.json").text.contains("/trace")))
  }

  @Test func `counts as a stream, with a heartbeat`() async throws {
    let path = try await client.session("busy")
    let reader = try await follow(path)
    _ = await events(reader)
    #expect(client.api.openStreams == 1)
    for _ in 0...22 { client.api.tick() }
    #expect(reader.read() == ":\n")
    reader.close()
    #expect(client.api.openStreams == 0)
    let lines = try await client.follow(
      path + "/trace",
      headers: ["Accept": "application/x-ndjson"]
    )
    await client.clock.idle()
    #expect(lines.read().hasPrefix(#"{"event":"session","id":""#))
  }
  @Test func `is described in the OpenAPI document, with the members of each event`() async throws {
    let path = try await client.session("busy")
    let reader = try await client.follow(
      path + "/trace",
      headers: ["Accept": "application/x-ndjson"]
    )
    let inputs = ["search", "tick", "stop", "remind", "fail"]
    for input in inputs { _ = try client.begin(.post, path + "/inputs", "\"\(input)\"") }
    await client.clock.advance(by: .seconds(2))
    #expect(try await client.send(.delete, path).status == 204)
    await client.clock.idle()
    let document = JSONTree(
      try JSONDocument(Array(try await client.send(.get, "/openapi.json").text.utf8)).root
    )
    let place = [
      "paths", "/sessions/{id}/trace", "get", "responses", "200", "content", "application/x-ndjson",
      "schema", "anyOf",
    ]
    guard case .array(let shapes)? = place.reduce(Optional(document), { $0?[$1] }) else {
      return #expect(Bool(false), "the events are not described")
    }
    var kinds: Set<String> = []
    for line in reader.read().split(separator: "\n") where line.hasPrefix("{") {
      let event = JSONTree(try JSONDocument(Array(line.utf8)).root)
      let shape = try #require(
        shapes.first { $0["properties"]?["event"]?["const"] == event["event"] }
      )
      let names = Set(event.members.map(\.name))
      let known = Set(shape["properties"]?.members.map(\.name) ?? [])
      guard case .array(let required)? = shape["required"] else {
        return #expect(Bool(false), "it has no required members: \(line)")
      }
      #expect(names.isSubset(of: known.union(["id"])), "\(line)")
      #expect(
        required.allSatisfy { name in names.contains { JSONTree.string($0) == name } },
        "\(line)"
      )
      if case .string(let kind)? = event["event"] { kinds.insert(kind) }
    }
    #expect(kinds == ["session", "input", "action", "effect", "error", "alarm", "end"])
  }
}
