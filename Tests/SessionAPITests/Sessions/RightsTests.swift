import FusionHTTPMessages
import FusionSessions
import FusionStoreDoubles
import Testing
import UIFusionKit
import UIFusionServer
import UIFusionTesting

@testable import FusionSessionAPI

/// A session that belongs to nobody, of a view model with a rule.
struct `A view model's rule` {
  /// Who asks, by identity and roles.
  enum Person: String, CaseIterable {
    case creator, member, host, banned

    var headers: HTTPHeaders {
      switch self {
      case .creator, .member: ["X-User": rawValue]
      case .host: ["X-User": "hostess", "X-Roles": "host"]
      case .banned: ["X-User": "mallory", "X-Roles": "banned"]
      }
    }
  }

  /// The answers to everybody for each use, in the order creator, member, host, banned.
  private static let table: [(method: HTTPMethod, path: String, body: String?, answers: [Int])] = [
    (.get, "", nil, [200, 200, 200, 403]),
    (.head, "", nil, [200, 200, 200, 403]),
    (.get, "/events", nil, [200, 200, 200, 403]),
    (.post, "/inputs", #"{"ring":1}"#, [200, 200, 200, 403]),
    (.post, "/inputs", #"{"ring":4}"#, [403, 403, 403, 403]),
    (.post, "/inputs", #"[{"ring":1},"lock"]"#, [403, 403, 200, 403]),
    (.post, "/inputs", #""lock""#, [403, 403, 200, 403]),
    (.get, "/shares", nil, [403, 403, 200, 403]),
    (.post, "/shares", #"{"role":"driver"}"#, [403, 403, 201, 403]),
    (.get, "/versions", nil, [403, 403, 200, 403]),
    (.get, "/versions/1", nil, [403, 403, 200, 403]),
    (.get, "/trace", nil, [403, 403, 200, 403]),
    (.post, "/forks", "{}", [403, 403, 201, 403]),
  ]

  private let client: Client
  private let store = MemorySessionStore()

  init() {
    var options = SessionAPI.Options()
    options.allowsAnonymous = true
    options.inspector = SessionInspector(on: { $0() }) { [store] in MemorySessionArchive(store) }
    options.authenticate = { request, _, done in
      done(
        .success(
          request.headers["X-User"].map { user in
            let roles = Set([request.headers["X-Roles"]].compactMap(\.self))
            return RequestSender(user, details: Identity(id: user, roles: roles))
          }
        )
      )
    }
    client = Client(
      options: options,
      store: store,
      hosting: { $0.host("house", summary: "") { _ in House() } },
      isWatchable: true
    )
    client.api.connectSessions()
  }

  private func create(
    _ viewModel: String = "house",
    by person: Person = .creator,
    on client: Client? = nil
  ) async throws -> String {
    let body = #"{"viewModel":"\#(viewModel)","scope":"shared"}"#
    let client = client ?? self.client
    let created = try await client.send(.post, "/sessions", body, headers: person.headers)
    #expect(created.status == 201)
    return try #require(created["Location"])
  }

  private func expect(_ answer: Answer, _ status: Int, _ name: Comment) throws {
    #expect(answer.status == status, name)
    answer.stream?.close()
    guard status == 403, !answer.text.isEmpty else { return }
    #expect(try answer.member("type") == "/problems/not-permitted", name)
    let sentences = [
      "You are banned.", "Only a host locks the house.", "Ring three times at the most.",
      "Ask a host.",
    ]
    #expect(sentences.contains(try answer.member("detail") ?? ""), name)
  }

  @Test(arguments: [false, true])
  func `answers for everyone who asks for each use, awake or asleep`(isAsleep: Bool) async throws {
    var client = client
    for (index, person) in Person.allCases.enumerated() {
      let path = try await create(on: client)
      for (method, suffix, body, answers) in Self.table {
        if isAsleep { client = try await client.restarted() }
        let target = path + suffix
        let answer = try await client.send(method, target, body, headers: person.headers)
        try expect(answer, answers[index], "\(method) \(suffix) \(body ?? "") by \(person)")
      }
    }
  }

  @Test func `refuses a batch whole, and changes nothing`() async throws {
    let path = try await create()
    let batch = #"[{"ring":1},{"ring":2},"lock"]"#
    for headers in [[:], ["Idempotency-Key": "k"]] as [HTTPHeaders] {
      var sent = Person.member.headers
      for field in headers.fields { sent[field.name] = field.value }
      let answer = try await client.send(.post, path + "/inputs", batch, headers: sent)
      #expect(answer.status == 403 && answer.text.contains(#""index":2"#))
    }
    let shown = try await client.send(.get, path, headers: Person.member.headers)
    #expect(shown["ETag"] == "\"1\"" && shown.text.contains(#""rings":0"#))
  }

  @Test func `is asked for the holder of a share, within the share's role`() async throws {
    let path = try await create()
    let shared = try await client.send(
      .post,
      path + "/shares",
      #"{"role":"driver"}"#,
      headers: Person.host.headers
    )
    let share = try #require(shared["Location"])
    for (index, person) in Person.allCases.enumerated() {
      let ring = try await client.send(
        .post,
        share + "/inputs",
        #"{"ring":1}"#,
        headers: person.headers
      )
      try expect(ring, [200, 200, 200, 403][index], "ring by \(person)")
      let lock = try await client.send(
        .post,
        share + "/inputs",
        #""lock""#,
        headers: person.headers
      )
      try expect(lock, [403, 403, 200, 403][index], "lock by \(person)")
      let ended = try await client.send(.delete, share, headers: person.headers)
      #expect(try ended.status == 403 && ended.member("type") == "/problems/share-forbids")
    }
    try expect(try await client.send(.post, share + "/inputs", #""lock""#), 403, "lock by nobody")
  }

  @Test func `refuses a message as it refuses its sender`() async throws {
    let (house, caller) = (try await create(), try await create())
    let id = house.dropFirst("/sessions/".count)
    let call = try await client.send(
      .post,
      caller + "/inputs",
      #"{"call":"\#(id)"}"#,
      headers: Person.host.headers
    )
    #expect(call.status == 200)
    await client.clock.advance(by: .seconds(1))
    let shown = try await client.send(.get, caller, headers: Person.host.headers)
    #expect(shown.text.contains(#""refused":1,"reason":"Only a host locks the house.""#))
    let other = try await client.send(.get, house, headers: Person.host.headers)
    #expect(other.text.contains(#""isLocked":false"#))
  }

  @Test func `refuses a stream of several sessions, and names the one`() async throws {
    let (house, counter) = (try await create(), try await create("counter-sync"))
    let ids = [counter, house].map { $0.dropFirst("/sessions/".count) }
    let target = "/events?session=\(ids[0])&session=\(ids[1])"
    let answer = try await client.send(.get, target, headers: Person.banned.headers)
    try expect(answer, 403, "stream")
    #expect(try answer.member("session") == String(ids[1]))
  }

  @Test func `sees the sender's roles, and so does the view model`() async throws {
    let path = try await create()
    let sent = try await client.send(
      .post,
      path + "/inputs",
      #""lock""#,
      headers: Person.host.headers
    )
    #expect(sent.text.contains(#""roles":["host"]"#))
  }

  @Test(arguments: ["house", "counter-sync"], [false, true])
  func `or none lets a session of nobody's be ended by its creator, or whom the rule allows`(
    viewModel: String,
    isAsleep: Bool
  ) async throws {
    var client = client
    for (index, person) in Person.allCases.enumerated() {
      let path = try await create(viewModel, on: client)
      if isAsleep { client = try await client.restarted() }
      let status = viewModel == "house" ? [204, 403, 204, 403] : [204, 403, 403, 403]
      let answer = try await client.send(.delete, path, headers: person.headers)
      #expect(answer.status == status[index], "\(person)")
      guard answer.status == 403 else { continue }
      #expect(try answer.member("type") == "/problems/not-permitted")
      #expect(try await client.send(.get, path, headers: Person.creator.headers).status == 200)
    }
  }

  @Test func `does not concern an identity's own session, which stays unknown to others`()
    async throws
  {
    let body = #"{"viewModel":"house"}"#
    let created = try await client.send(.post, "/sessions", body, headers: Person.member.headers)
    let path = try #require(created["Location"])
    for person in [Person.host, .creator, .banned] {
      for method in [HTTPMethod.get, .delete] {
        #expect(try await client.send(method, path, headers: person.headers).status == 404)
      }
    }
    let lock = try await client.send(
      .post,
      path + "/inputs",
      #""lock""#,
      headers: Person.member.headers
    )
    try expect(lock, 403, "lock")
    #expect(try await client.send(.delete, path, headers: Person.member.headers).status == 204)
  }

  @Test(arguments: ["application/json", "text/event-stream"], ["own", "shared"])
  func `lets nobody create a session who may not read it`(accept: String, scope: String)
    async throws
  {
    let body = #"{"viewModel":"house","scope":"\#(scope)"}"#
    var headers = Person.banned.headers
    headers["Accept"] = accept
    try expect(try await client.send(.post, "/sessions", body, headers: headers), 403, "create")
    #expect(client.host.directory.count == 0)
  }

  @Test func `is shown to each sender by the view model's description`() async throws {
    let path = "/view-models/house"
    let member = try await client.send(.get, path, headers: Person.member.headers)
    #expect(
      member.text.contains(
        #""denied":{"share":"Ask a host.","fork":"Ask a host.","inspect":"Ask a host.","inputs":{"lock":"Only a host locks the house."}}"#
      )
    )
    #expect(member["Cache-Control"]?.contains("private") == true)
    #expect(member["Vary"]?.contains("Authorization") == true)
    let host = try await client.send(.get, path, headers: Person.host.headers)
    #expect(host.text.contains(#""denied":{"inputs":{}}"#))
    let banned = try await client.send(.get, path, headers: Person.banned.headers)
    #expect(banned.text.contains(#""denied":{"read":"You are banned.""#))
    let console = try await client.send(
      .get,
      path,
      headers: ["Accept": "text/html", "X-User": "member"]
    )
    #expect(console.text.contains("Only a host locks the house."))
    let other = try await client.send(.get, "/view-models/counter", headers: Person.member.headers)
    #expect(!other.text.contains("denied") && other["Cache-Control"] == nil)
  }

  @Test func `lets a fork be ended by whoever forked`() async throws {
    let path = try await create()
    let forked = try await client.send(.post, path + "/forks", "{}", headers: Person.host.headers)
    let fork = try #require(forked["Location"])
    var hostess = Person.host.headers
    hostess["X-Roles"] = nil
    #expect(try await client.send(.delete, fork, headers: Person.creator.headers).status == 403)
    #expect(try await client.send(.delete, fork, headers: hostess).status == 204)
  }
}
