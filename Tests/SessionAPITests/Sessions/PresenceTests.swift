import FusionHTTPMessages
import FusionSessionAPI
import FusionSessions
import FusionStoreDoubles
import FusionStrictJSON
import Synchronization
import Testing
import UIFusionKit
import UIFusionServer
import UIFusionTesting

/// A view model that takes the Inputs of a child, and does not observe presence.
private struct Parent: ViewModelProtocol {
  enum Input: Codable, Sendable { case child(Guests.Input) }
  typealias Action = Input
  struct State: Codable, Equatable, Sendable { var inputs = 0 }

  var state = State()

  func transform(_ input: Input) -> [Action] { [input] }

  mutating func perform(_ action: Action) { state.inputs += 1 }
}

/// A view model whose State cannot be written when bob joins.
private struct Picky: ViewModelProtocol, PresenceObserving {
  typealias Input = PresenceChange
  typealias Action = Input
  struct State: Codable, Equatable, Sendable {
    var changes: [String] = []
    var weight = 0.0
  }

  var state = State()

  static func input(for change: PresenceChange) -> Input? { change }

  func transform(_ input: Input) -> [Action] { [input] }

  mutating func perform(_ action: Action) {
    let names = action.visitors.map { $0.identity ?? "?" }
    if action.kind == .joined, names == ["bob"] { state.weight = .nan }
    state.changes.append("\(action.kind): \(names.joined(separator: ", "))")
  }
}

/// A view model that keeps whoever has come, and whose State does not change when they leave; it may not even be told.
private struct Register: ViewModelProtocol, PresenceObserving {
  struct Input: Codable, Sendable { let change: PresenceChange }
  typealias Action = Input
  struct State: Codable, Equatable, Sendable { var changes: [String] = [] }

  var state = State()
  static let isTold = Mutex(true)

  static func input(for change: PresenceChange) -> Input? {
    change.kind == .joined || isTold.withLock(\.self) ? Input(change: change) : nil
  }

  func transform(_ input: Input) -> [Action] { [input] }

  mutating func perform(_ action: Action) {
    if action.change.kind == .joined { state.changes.append("joined") }
  }
}

/// Sessions in one process, which takes the sender of a request from a header.
struct `A view model that observes presence` {
  private let store = MemorySessionStore()
  private let client: Client

  init() {
    var options = SessionAPI.Options()
    options.authenticate = { request, _, done in
      let name = request.headers["X-Name"]
      done(
        .success(
          request.headers["X-User"].map {
            $0 == "program" ? .program : RequestSender($0, name: name)
          }
        )
      )
    }
    client = Client(options: options, store: store) {
      $0.host("guests", summary: "Sees who comes") { _ in Guests() }
      $0.host("parent", summary: "Passes Inputs on") { _ in Parent() }
      $0.host("picky", summary: "Likes few") { _ in Picky() }
      $0.host("register", summary: "Keeps all") { _ in Register() }
    }
  }

  private var clock: TestClock { client.clock }

  private func path(
    _ fields: HTTPHeaders = ["X-User": "ada"],
    of viewModel: String = "guests"
  ) async throws -> String {
    let created = try await client.send(
      .post,
      "/sessions",
      #"{"viewModel":"\#(viewModel)"}"#,
      headers: fields
    )
    return try #require(created["Location"])
  }

  private func changes(
    _ path: String,
    _ client: Client? = nil,
    as user: String = "ada"
  ) async throws -> [String] {
    let answer = try await (client ?? self.client).send(.get, path, headers: ["X-User": user])
    return try #require(try answer.json()["state"]?["changes"]).decode([String].self)
  }

  private func share(_ path: String, _ role: String) async throws -> String {
    let shared = try await client.send(
      .post,
      path + "/shares",
      #"{"role":"\#(role)"}"#,
      headers: ["X-User": "ada"]
    )
    return try #require(shared["Location"])
  }

  @Test func `is not told of a stream that the program follows`() async throws {
    let path = try await path()
    for (user, told) in [("program", []), ("ada", ["joined: ada owner"])] {
      let stream = try await client.follow(path + "/events", headers: ["X-User": user])
      await clock.idle()
      #expect(try await changes(path) == told)
      stream.close()
    }
  }

  @Test
  func
    `is told once of each arrival, and of each departure five seconds after the last stream`()
    async throws
  {
    let path = try await path()
    let observed = try await share(path, "observer")
    let first = try await client.follow(path + "/events", headers: ["X-User": "ada"])
    await clock.idle()
    #expect(first.read().contains("joined: ada owner"))
    let second = try await client.follow(path + "/events", headers: ["X-User": "ada"])
    let bob = try await client.follow(
      observed + "/events",
      headers: ["X-User": "bob", "X-Name": "Bob B."]
    )
    await clock.idle()
    let text = first.read()
    #expect(
      text.contains(
        #"{"id":"bob","identity":"bob","name":"Bob B.","role":"observer"}],"#
          + #""changes":["joined: ada owner","joined: bob observer"]"#
      )
    )
    first.close()
    bob.close()
    await clock.advance(by: .milliseconds(4_999))
    #expect(try await changes(path).count == 2)
    await clock.advance(by: .milliseconds(1))
    #expect(try await changes(path).dropFirst(2) == ["left: bob observer"])
    second.close()
    await clock.advance(by: .seconds(5))
    #expect(try await changes(path).last == "left: ada owner")
  }

  @Test func `is not told of a reconnection within the grace period`() async throws {
    let path = try await path()
    var reader = try await client.follow(path + "/events", headers: ["X-User": "ada"])
    await clock.idle()
    for _ in 1...4 {
      reader.close()
      await clock.advance(by: .milliseconds(4_999))
      reader = try await client.follow(path + "/events", headers: ["X-User": "ada"])
      await clock.advance(by: .seconds(20))
    }
    #expect(try await changes(path) == ["joined: ada owner"])
  }

  @Test
  func `distinguishes visitors without an identity by their shares, but does not learn the ids`()
    async throws
  {
    let path = try await path([:])
    let shares = [try await share(path, "driver"), try await share(path, "driver")]
    var readers: [Reader] = []
    for path in [path, path, shares[0], shares[1]] {
      readers.append(try await client.follow(path + "/events"))
    }
    await clock.idle()
    let answer = try await client.send(.get, path)
    let present = try #require(try answer.json()["state"]?["present"]).decode([Visitor].self)
    #expect(present.map(\.role) == [.owner, .driver, .driver])
    #expect(Set(present.map(\.id)).count == 3 && present.allSatisfy { $0.identity == nil })
    for path in shares + [path] {
      let id = path.dropFirst("/sessions/".count)
      #expect(!present.contains { $0.id.contains(id) })
    }
    readers.removeAll()
  }

  @Test func `takes no presence Input from a client`() async throws {
    let path = try await path()
    let forged = try await client.send(
      .post,
      path + "/inputs",
      #"{"presence":{"kind":"joined","visitors":[]}}"#,
      headers: ["X-User": "ada"]
    )
    #expect(forged.status == 422)
    let call = try await client.send(
      .post,
      path + "/inputs",
      #""call""#,
      headers: ["X-User": "ada"]
    )
    #expect(call.status == 200)
    #expect(try await changes(path) == [])
  }

  @Test func `takes no presence Input from a client inside another view model's Input`()
    async throws
  {
    let path = try await path(of: "parent")
    let rows = [
      (#"{"child":{"presence":{"kind":"joined","visitors":[]}}}"#, 422),
      (#"[{"child":"call"},{"child":{"presence":{"kind":"joined","visitors":[]}}}]"#, 422),
      (#"{"child":"call"}"#, 200),
    ]
    for (body, status) in rows {
      let answer = try await client.send(.post, path + "/inputs", body, headers: ["X-User": "ada"])
      #expect(answer.status == status, "\(body)")
    }
  }

  @Test func `is told of all visitors again with the next change after a rolled-back turn`()
    async throws
  {
    let path = try await path(of: "picky")
    let observed = try await share(path, "observer")
    var readers: [Reader] = []
    for (user, path) in [("ada", path), ("bob", observed)] {
      readers.append(try await client.follow(path + "/events", headers: ["X-User": user]))
      await clock.advance(by: .seconds(10))
    }
    #expect(try await changes(path) == ["joined: ada"])
    readers.append(try await client.follow(observed + "/events", headers: ["X-User": "cyd"]))
    await clock.idle()
    #expect(try await changes(path) == ["joined: ada", "remained: ada, bob, cyd"])
    readers.removeAll()
  }

  @Test func `is told of one change at a time, and then of all visitors who came meanwhile`()
    async throws
  {
    let path = try await path()
    let observed = try await share(path, "observer")
    client.lifeline?.hold()
    var readers: [Reader] = []
    for user in ["bob", "cyd", "dan"] {
      readers.append(try await client.follow(observed + "/events", headers: ["X-User": user]))
      await clock.idle()
    }
    client.lifeline?.release()
    await clock.idle()
    let expected = ["joined: bob observer", "joined: cyd observer, dan observer"]
    #expect(try await changes(path) == expected)
    readers.removeAll()
  }

  @Test func `is told after a crash who has come back, and that all others have left`() async throws
  {
    let path = try await path()
    let shared = try await share(path, "driver")
    _ = try await client.follow(path + "/events", headers: ["X-User": "ada"])
    await clock.idle()
    _ = try await client.follow(shared + "/events", headers: ["X-User": "bob"])
    await clock.idle()
    #expect(try await changes(path).count == 2)
    let next = try await client.restarted()
    let reader = try await next.follow(path + "/events", headers: ["X-User": "ada"])
    await next.clock.advance(by: .seconds(4))
    #expect(reader.read().contains(#""present":[{"id":"ada""#))
    #expect(try await changes(path, next).dropFirst(2) == ["joined: ada owner"])
    await next.clock.advance(by: .seconds(1))
    #expect(
      try await changes(path, next).dropFirst(2) == ["joined: ada owner", "remained: ada owner"]
    )
    let state = try await next.send(.get, path, headers: ["X-User": "ada"])
    #expect(!state.text.contains(#""id":"bob""#))
  }

  @Test func `is told after a crash that all have left, though nobody comes back`() async throws {
    let path = try await path()
    let shared = try await share(path, "driver")
    _ = try await client.follow(path + "/events", headers: ["X-User": "ada"])
    await clock.idle()
    _ = try await client.follow(shared + "/events", headers: ["X-User": "bob"])
    await clock.idle()
    #expect(try await changes(path).count == 2)
    // The second process dies before it could tell, and had a turn meanwhile.
    let second = try await client.restarted()
    let isWoken = try await takeOver(second, for: .seconds(2))
    #expect(isWoken)
    _ = try await second.follow(shared + "/events", headers: ["X-User": "bob"])
    await second.clock.advance(by: .seconds(1))
    let third = try await second.restarted()
    #expect(try await takeOver(third, for: .seconds(5)))
    #expect(try await changes(path, third).dropFirst(2) == ["joined: bob driver", "remained: "])
    let state = try await third.send(.get, path, headers: ["X-User": "ada"])
    #expect(state.text.contains(#""present":[]"#))
    // Nobody is there any more: the next start leaves it asleep.
    let fourth = try await third.restarted()
    #expect(try await takeOver(fourth, for: .seconds(5)) == false)
  }

  @Test(.serialized, arguments: [true, false])
  func `is left asleep at a start once all have left, even if State did not change`(
    isTold: Bool
  ) async throws {
    Register.isTold.withLock { $0 = isTold }
    let path = try await path(of: "register")
    let reader = try await client.follow(path + "/events", headers: ["X-User": "ada"])
    await clock.idle()
    #expect(try await takeOver(try await client.restarted(), for: .seconds(5)))
    _ = reader
    // The restart has told it that nobody is there; so does the end of a visit.
    let second = try await client.restarted()
    #expect(try await takeOver(second, for: .seconds(5)) == false)
    let visit = try await second.follow(path + "/events", headers: ["X-User": "ada"])
    await second.clock.idle()
    visit.close()
    await second.clock.advance(by: .seconds(5))
    #expect(try await takeOver(try await second.restarted(), for: .seconds(5)) == false)
  }

  /// Wakes the sessions that were interrupted, for a time; returns whether there were any.
  private func takeOver(_ client: Client, for time: Duration) async throws -> Bool {
    let waking = Task(executorPreference: client.clock.executor) { [host = client.host] in
      try await host.takeOver.run()
    }
    await client.clock.idle()
    try await waking.value
    let isAwake = client.host.directory.awake > 0
    await client.clock.advance(by: time)
    return isAwake
  }

  @Test func `stays awake until it is told that its visitor has left`() async throws {
    let path = try await path()
    let reader = try await client.follow(path + "/events", headers: ["X-User": "ada"])
    await clock.idle()
    reader.close()
    await clock.advance(by: .seconds(2))
    _ = await Task(executorPreference: clock.executor) {
      await client.host.sleeper.putIdleToSleep(after: .zero)
    }.value
    #expect(client.host.directory.awake == 1)
    await clock.advance(by: .seconds(4))
    _ = await Task(executorPreference: clock.executor) {
      await client.host.sleeper.putIdleToSleep(after: .zero)
    }.value
    #expect(client.host.directory.awake == 0)
    #expect(try await changes(path).last == "left: ada owner")
  }

  @Test func `is told in stored turns without a sender`() async throws {
    let path = try await path()
    let reader = try await client.follow(path + "/events", headers: ["X-User": "ada"])
    await clock.idle()
    let id = try #require(SessionID(String(path.dropFirst("/sessions/".count))))
    let trace = store.stored(id)?.entries.flatMap(\.trace) ?? []
    let text = String(decoding: trace, as: UTF8.self)
    #expect(text.contains(#"{"input":{"presence":{"kind":"joined""#) && !text.contains("sender"))
    reader.close()
  }

  @Test func `is not told of visitors whose streams end because the service stops`() async throws {
    let path = try await path()
    let reader = try await client.follow(path + "/events", headers: ["X-User": "ada"])
    await clock.idle()
    client.api.drain()
    reader.close()
    await clock.advance(by: .seconds(6))
    let next = try await client.restarted()
    _ = try await next.follow(path + "/events", headers: ["X-User": "ada"])
    await next.clock.advance(by: .seconds(6))
    #expect(
      try await changes(path, next)
        == ["joined: ada owner", "joined: ada owner", "remained: ada owner"]
    )
  }
}
