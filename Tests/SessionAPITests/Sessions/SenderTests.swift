import FusionHTTPMessages
import FusionSessionAPI
import FusionSessions
import FusionStoreDoubles
import Synchronization
import Testing
import UIFusionTesting

/// Sessions in one process, which takes the sender of a request from a header.
struct `A session of an identity` {
  private let store = MemorySessionStore()
  private let client: Client

  init() {
    var options = SessionAPI.Options()
    options.allowsAnonymous = false
    options.authenticate = { request, _, done in
      done(.success(request.headers["X-User"].map { RequestSender($0) }))
    }
    client = Client(options: options, store: store)
  }

  private func create() async throws -> String {
    let body = #"{"viewModel":"counter-sync"}"#
    let created = try await client.send(.post, "/sessions", body, headers: ["X-User": "ada"])
    return try #require(created["Location"])
  }

  @Test func `that sleeps is deleted only by its identity, and is not woken for others`()
    async throws
  {
    let path = try await create()
    let next = try await client.restarted()
    for user in ["bob", "Ada", "ad", "ada ", ""] {
      #expect(try await next.send(.delete, path, headers: ["X-User": user]).status == 404)
    }
    #expect(try await next.send(.delete, path).status == 401)
    #expect(next.host.directory.awake == 0 && next.host.directory.count == 1)
    #expect(try await next.send(.delete, path, headers: ["X-User": "ada"]).status == 204)
    #expect(next.host.directory.count == 0)
  }

  @Test func `that sleeps is woken only by its identity`() async throws {
    let path = try await create()
    let next = try await client.restarted()
    let events = "/events?session=\(path.dropFirst("/sessions/".count))"
    let (bob, ada): (HTTPHeaders, HTTPHeaders) = (["X-User": "bob"], ["X-User": "ada"])
    for path in [path, path + "/events", events, path + "/shares"] {
      #expect(try await next.send(.get, path, headers: bob).status == 404)
    }
    let sent = try await next.send(.post, path + "/inputs", #""increase""#, headers: bob)
    #expect(sent.status == 404 && next.host.directory.awake == 0)
    #expect(try await next.send(.get, path, headers: ada).status == 200)
    #expect(next.host.directory.awake == 1)
  }

  /// A login that a test ends.
  private final class Login: SenderLogin {
    let isValid = Atomic(true)
    var stands: Bool { isValid.load(ordering: .relaxed) }
    var secondsLeft: Double? { nil }
  }

  @Test(arguments: [
    (HTTPMethod.post, ["Prefer": "wait=9"]), (.post, ["Prefer": "wait=9, return=minimal"]),
    (.post, [:]), (.get, ["Prefer": "wait=9", "If-None-Match": "\"2\""]),
  ])
  func `is not shown to a request that waited, once its login has ended`(
    method: HTTPMethod,
    fields: [String: String]
  ) async throws {
    var headers: HTTPHeaders = ["X-User": "ada"]
    for (name, value) in fields { headers[name] = value }
    for isEnded in [true, false] {
      let login = Login()
      var options = SessionAPI.Options()
      options.allowsAnonymous = false
      options.authenticate = { _, _, done in done(.success(RequestSender("ada", login: login))) }
      let client = Client(options: options)
      let path = try await client.session("counter")
      // Half a second, for which the next request waits.
      let first = try client.begin(.post, path + "/inputs", #""increase""#)
      await client.clock.idle()
      let target = method == .post ? path + "/inputs" : path
      let body = method == .post ? #""increase""# : nil
      let held = try client.begin(method, target, body, headers: headers)
      if isEnded { login.isValid.store(false, ordering: .relaxed) }
      await client.clock.advance(by: .seconds(12))
      let answer = try await held.answer
      #expect(isEnded ? answer.status == 401 : answer.status < 400, "\(method) \(fields)")
      #expect(!isEnded || answer["ETag"] == nil && !answer.text.contains("state"))
      _ = try await first.answer
    }
  }

  @Test func `is kept by no cache that others share`() async throws {
    let path = try await create()
    for (user, status) in [("ada", 200), ("bob", 404)] {
      let answer = try await client.send(.get, path, headers: ["X-User": user])
      #expect(answer.status == status)
      #expect(answer["Cache-Control"]?.hasPrefix("private") == true)
      for field in ["Authorization", "Cookie"] {
        #expect(answer["Vary"]?.contains(field) == true)
      }
    }
    let known: HTTPHeaders = ["X-User": "ada", "If-None-Match": "\"1\""]
    let same = try await client.send(.get, path, headers: known)
    #expect(same.status == 304 && same["Cache-Control"]?.hasPrefix("private") == true)
    #expect(same["Vary"]?.contains("Cookie") == true)
  }

  @Test func `compares identities by their bytes`() async throws {
    let body = #"{"viewModel":"counter-sync"}"#
    let created = try await client.send(.post, "/sessions", body, headers: ["X-User": "é"])
    let path = try #require(created["Location"])
    #expect(try await client.send(.get, path, headers: ["X-User": "é"]).status == 200)
    #expect(try await client.send(.get, path, headers: ["X-User": "e\u{301}"]).status == 404)
  }

  @Test func `tells in its history who has sent an Input`() async throws {
    let path = try await create()
    let id = try #require(SessionID(String(path.dropFirst("/sessions/".count))))
    let sent = try await client.send(
      .post,
      path + "/inputs",
      #"["increase","increase"]"#,
      headers: ["X-User": "ada"]
    )
    #expect(sent.status == 200)
    let trace = store.stored(id)?.entries.flatMap(\.trace) ?? []
    let lines = String(decoding: trace, as: UTF8.self)
    #expect(lines.matches(of: /\{"input":"increase","sender":"ada"\}\n/).count == 2)
  }
}
