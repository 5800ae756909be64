import FusionHTTPMessages
import FusionHTTPToolkit
import FusionSessionAPI
import FusionSessions
import FusionStoreDoubles
import Testing
import UIFusionTesting

private let ada = "192.0.2.7"
private let bob = "192.0.2.8"

private func client(
  sessions: Int? = nil,
  streams: Int? = nil,
  inputsPerSecond: Int? = nil,
  store: MemorySessionStore? = nil,
  trusting proxy: String? = nil
) throws -> Client {
  var options = SessionAPI.Options()
  options.clients.sessions = sessions
  options.clients.streams = streams
  options.clients.inputsPerSecond = inputsPerSecond
  if let proxy { options.access.proxies = TrustedProxies([try #require(IPNetwork(proxy))]) }
  return Client(options: options, store: store)
}

extension Client {
  fileprivate func create(from address: String?, headers: HTTPHeaders = [:]) async throws -> Answer
  {
    try await send(
      .post,
      "/sessions",
      #"{"viewModel":"counter-sync"}"#,
      headers: headers,
      from: address
    )
  }
}

struct `One client's sessions` {
  @Test func `are limited without affecting other clients`() async throws {
    let api = try client(sessions: 2)
    let first = try await api.create(from: ada)
    #expect(try await api.create(from: ada).status == 201)
    let refused = try await api.create(from: ada)
    #expect(refused.status == 429 && refused["Retry-After"] == "30")
    #expect(try refused.member("type") == "/problems/too-many-client-sessions")
    #expect(
      refused.text.contains(#""limit":2"#) && refused.text.contains("--max-sessions-per-client")
    )
    #expect(try await api.create(from: bob).status == 201)
    #expect(api.host.directory.count == 3)
    #expect(try await api.send(.delete, try #require(first["Location"])).status == 204)
    #expect(try await api.create(from: ada).status == 201)
  }

  @Test func `count until they expire, asleep or awake`() async throws {
    let api = try client(sessions: 1, store: MemorySessionStore())
    _ = try await api.create(from: ada)
    await api.clock.advance(by: .seconds(61))
    _ = await api.host.sleeper.putIdleToSleep()
    #expect(api.host.directory.awake == 0)
    #expect(try await api.create(from: ada).status == 429)
    await api.clock.advance(by: .seconds(1_800))
    api.host.expirer.expire()
    await api.clock.idle()
    #expect(try await api.create(from: ada).status == 201)
  }

  @Test func `do not count once the store has lost them`() async throws {
    let store = MemorySessionStore()
    let api = try client(sessions: 1, store: store)
    let path = try #require(try await api.create(from: ada)["Location"])
    let id = try #require(SessionID(String(path.dropFirst("/sessions/".count))))
    await api.clock.advance(by: .seconds(61))
    _ = await api.host.sleeper.putIdleToSleep()
    store.commit(.end([id], .deleted, at: WallTime(milliseconds: 0))) { _ in }
    let lost = try await api.send(.get, path)
    #expect(lost.status == 410, "\(lost.text)")
    #expect(try await api.create(from: ada).status == 201)
  }

  @Test func `do not count if none was created`() async throws {
    let api = try client(sessions: 1)
    for body in [#"{"viewModel":"none"}"#, #"{"viewModel":"counter","parameters":1}"#, "{"] {
      _ = try await api.send(.post, "/sessions", body, from: ada)
    }
    #expect(try await api.create(from: ada).status == 201)
  }

  @Test func `are counted by the first 64 bits of an IPv6 address`() async throws {
    let api = try client(sessions: 1)
    #expect(try await api.create(from: "2001:db8:0:1::1").status == 201)
    #expect(try await api.create(from: "2001:db8:0:1:ffff::2").status == 429)
    #expect(try await api.create(from: "2001:db8:0:2::1").status == 201)
  }

  @Test func `are counted for the client that a trusted proxy names`() async throws {
    let api = try client(sessions: 1, trusting: "10.0.0.1")
    for (address, status) in [(ada, 201), (bob, 201), (ada, 429)] {
      let answer = try await api.create(from: "10.0.0.1", headers: ["X-Forwarded-For": address])
      #expect(answer.status == status)
    }
    // An untrusted client can neither take another's address nor hide its own.
    #expect(
      try await api.create(from: "6.6.6.6", headers: ["X-Forwarded-For": "1.1.1.1"]).status == 201
    )
    #expect(
      try await api.create(from: "6.6.6.6", headers: ["X-Forwarded-For": "1.1.1.2"]).status == 429
    )
  }

  @Test(arguments: [
    ("127.0.0.1", false), ("::1", false), ("10.1.2.3", false), ("172.31.0.1", false),
    ("192.168.1.1", false), ("fd00::1", false), ("100.64.0.1", false), (nil, false),
    ("172.32.0.1", true), ("8.8.8.8", true), ("2001:db8::1", true),
  ])
  func `are limited by default unless the address may be a proxy's`(
    address: String?,
    areLimited: Bool
  )
    async throws
  {
    let api = try client()
    for _ in 0..<ClientLimits.usualSessions { _ = try await api.create(from: address) }
    #expect(try await api.create(from: address).status == (areLimited ? 429 : 201))
  }

  @Test func `are limited on this machine, too, if a limit is set`() async throws {
    let api = try client(sessions: 1)
    #expect(try await api.create(from: "127.0.0.1").status == 201)
    #expect(try await api.create(from: "127.0.0.1").status == 429)
    // Clients of a Unix socket have no address.
    for _ in 0..<3 { #expect(try await api.create(from: nil).status == 201) }
  }
}

struct `One client's streams` {
  @Test(arguments: ["/sessions/ID/events", "/events?session=ID"])
  func `are limited while they are open, without affecting other clients`(target: String)
    async throws
  {
    let api = try client(streams: 2)
    let id = try #require(try await api.create(from: ada)["Location"]?.split(separator: "/").last)
    let target = target.replacing("ID", with: id)
    var readers = [
      try await api.follow(target, from: ada), try await api.follow(target, from: ada),
    ]
    let refused = try await api.send(.get, target, from: ada)
    #expect(refused.status == 429 && refused["Retry-After"] == "30")
    #expect(try refused.member("type") == "/problems/too-many-client-streams")
    #expect(try await api.follow(target, from: bob).read().contains(#""version":1"#))
    readers.removeLast().close()
    #expect(try await api.follow(target, from: ada).read().contains(#""version":1"#))
    withExtendedLifetime(readers) {}
  }
}

extension `One client's streams` {
  @Test func `are limited to a hundred by default`() async throws {
    let api = try client()
    let path = try #require(try await api.create(from: ada)["Location"]) + "/events"
    var readers: [Reader] = []
    for _ in 0..<100 { readers.append(try await api.follow(path, from: ada)) }
    #expect(try await api.send(.get, path, from: ada).status == 429)
    withExtendedLifetime(readers) {}
  }

  @Test func `do not count if the service's own limit is reached`() async throws {
    var options = SessionAPI.Options()
    options.streams = 1
    options.clients.streams = 2
    let api = Client(options: options)
    let path = try #require(try await api.create(from: ada)["Location"]) + "/events"
    let reader = try await api.follow(path, from: ada)
    for _ in 0..<3 {
      let full = try await api.send(.get, path, from: ada)
      #expect(full.status == 200 && full.text.contains("retry: 30000"))
    }
    withExtendedLifetime(reader) {}
  }
}

struct `One client's Inputs` {
  private func send(
    _ api: Client,
    _ path: String,
    _ body: String = #""increase""#,
    from address: String?
  )
    async throws -> Answer
  {
    try await api.send(.post, path + "/inputs", body, from: address)
  }

  @Test func `are limited per second, without affecting other clients`() async throws {
    let api = try client(inputsPerSecond: 3)
    let path = try #require(try await api.create(from: ada)["Location"])
    for _ in 0..<3 { #expect(try await send(api, path, from: ada).status == 200) }
    let refused = try await send(api, path, from: ada)
    #expect(refused.status == 429 && refused["Retry-After"] == "1")
    #expect(try refused.member("type") == "/problems/too-many-client-inputs")
    #expect(try await send(api, path, from: bob).text.hasPrefix(#"{"version":5,"#))
    await api.clock.advance(by: .milliseconds(334))
    #expect(try await send(api, path, from: ada).status == 200)
    #expect(try await send(api, path, from: ada).status == 429)
    await api.clock.advance(by: .seconds(60))
    for _ in 0..<3 { #expect(try await send(api, path, from: ada).status == 200) }
    #expect(try await send(api, path, from: ada).status == 429)
  }

  @Test func `of a batch are all taken, and delay those that follow`() async throws {
    let api = try client(inputsPerSecond: 2)
    let path = try #require(try await api.create(from: ada)["Location"])
    let batch = "[" + repeatElement(#""increase""#, count: 10).joined(separator: ",") + "]"
    #expect(try await send(api, path, batch, from: ada).status == 200)
    let refused = try await send(api, path, from: ada)
    #expect(refused.status == 429 && refused["Retry-After"] == "5")
    await api.clock.advance(by: .milliseconds(4_500))
    #expect(try await send(api, path, from: ada).status == 200)
  }

  @Test func `that were refused leave their key free, and are not counted`() async throws {
    let api = try client(inputsPerSecond: 1)
    let path = try #require(try await api.create(from: ada)["Location"])
    for (body, status) in [
      ("{", 400), (#""none""#, 422), (#""increase""#, 200), (#""increase""#, 429),
    ] {
      let key: HTTPHeaders = ["Idempotency-Key": "k\(status)"]
      let answer = try await api.send(.post, path + "/inputs", body, headers: key, from: ada)
      #expect(answer.status == status)
    }
    // A repetition applies nothing, so it is not limited.
    let again = try await api.send(
      .post,
      path + "/inputs",
      #""increase""#,
      headers: ["Idempotency-Key": "k200"],
      from: ada
    )
    #expect(again.status == 200 && again["Idempotency-Replayed"] == "true")
    await api.clock.advance(by: .seconds(1))
    let late = try await api.send(
      .post,
      path + "/inputs",
      #""increase""#,
      headers: ["Idempotency-Key": "k429"],
      from: ada
    )
    #expect(late.status == 200 && late["Idempotency-Replayed"] == nil)
    #expect(late.text.hasPrefix(#"{"version":3,"#))
  }

  @Test func `that find no room in the queue are not counted`() async throws {
    var limits = SessionLimits()
    limits.queuedInputs = 1
    var options = SessionAPI.Options()
    options.clients.inputsPerSecond = 3
    let api = Client(limits: limits, options: options)
    let created = try await api.send(.post, "/sessions", #"{"viewModel":"slow"}"#)
    let path = try #require(created["Location"])
    // One is at work, one waits, and there is one token left.
    for _ in 0..<2 { _ = try api.begin(.post, path + "/inputs", "60", from: ada) }
    for _ in 0..<2 {
      let refused = try await api.send(.post, path + "/inputs", "60", from: ada)
      #expect(try refused.member("type") == "/problems/queue-full")
    }
  }
}
