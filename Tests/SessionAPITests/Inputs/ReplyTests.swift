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

/// Messages that are answered, in one process that takes the sender of a request from a header.
struct `A reply` {
  private let store = MemorySessionStore()

  private func client() -> Client {
    var options = SessionAPI.Options()
    options.authenticate = { request, _, done in
      done(.success(request.headers["X-User"].map { RequestSender($0, details: Identity(id: $0)) }))
    }
    let client = Client(options: options, store: store) {
      $0.host("asker", summary: "") { _ in Asker() }
      $0.host("oracle", summary: "") { Oracle(id: $0.sessionID ?? "") }
      $0.host("plain", summary: "") { _ in PlainOracle() }
      $0.host("suspending", summary: "") { _ in SuspendingAsker() }
    }
    client.api.connectSessions()
    return client
  }

  private func create(
    _ client: Client,
    _ viewModel: String,
    _ user: String? = nil
  ) async throws -> String {
    let headers: HTTPHeaders = user.map { ["X-User": $0] } ?? [:]
    let body = #"{"viewModel":"\#(viewModel)"}"#
    let answer = try await client.send(.post, "/sessions", body, headers: headers)
    return String(try #require(answer["Location"]).dropFirst("/sessions/".count))
  }

  /// Asks as Ada, and waits for the answer if the headers say so.
  private func ask(
    _ client: Client,
    _ question: String,
    of oracle: String,
    by asker: String,
    wait: Int? = nil,
    key: String? = nil
  ) throws -> Pending {
    var headers: HTTPHeaders = ["X-User": "ada"]
    if let wait { headers.append("Prefer", "wait=\(wait)") }
    if let key { headers.append("Idempotency-Key", key) }
    let body = #"{"ask":{"_0":\#(question),"of":"\#(oracle)"}}"#
    return try client.begin(.post, "/sessions/\(asker)/inputs", body, headers: headers)
  }

  /// What Ada sees of the asking session: its State, and whether it is settled.
  private func shown(
    _ client: Client,
    _ id: String
  ) async throws -> (state: Asker.State, isSettled: Bool) {
    let answer = try await client.send(.get, "/sessions/\(id)", headers: ["X-User": "ada"])
    let json = try answer.json()
    let state = try #require(json["state"]).decode(Asker.State.self)
    return (state, json["settled"]?.bool == true)
  }

  private func waiting(_ id: String) -> Int {
    SessionID(id).flatMap { store.stored($0) }?.alarms.count { $0.isMessage } ?? -1
  }

  private func ringing(_ client: Client) -> Task<Void, any Error> {
    Task(executorPreference: client.clock.executor) { [host = client.host] in
      try await host.alarmWaker.run()
    }
  }

  @Test(arguments: ["oracle", "plain"])
  func `reaches a session that nobody else may use, before it is settled`(oracle: String)
    async throws
  {
    let client = client()
    let (asker, oracle) = (
      try await create(client, "asker", "ada"), try await create(client, oracle)
    )
    let answer = try await ask(client, #"{"ask":{"_0":4}}"#, of: oracle, by: asker, wait: 10).answer
    #expect(answer.text == #"{"version":2,"state":{"answers":[4],"refusals":0},"settled":true}"#)
    await client.clock.idle()
    #expect(waiting(asker) == 0 && waiting(oracle) == 0)
    let from = { (id: String) in #","from":"\#(id.prefix(6))…"}"# }
    #expect(
      try history(oracle).contains(#"{"input":{"ask":4},"sender":"ada"\#(from(asker))"#)
    )
    #expect(try history(asker).contains(#"{"input":{"answered":4}\#(from(oracle))"#))
  }

  /// What has happened in a session, line by line.
  private func history(_ id: String) throws -> String {
    let stored = try #require(SessionID(id).flatMap { store.stored($0) })
    return String(decoding: stored.entries.flatMap(\.trace), as: UTF8.self)
  }

  @Test func `is awaited while its sender works on it, and while its receiver does`() async throws {
    let client = client()
    let (asker, oracle) = (
      try await create(client, "asker", "ada"), try await create(client, "oracle")
    )
    func askSlowly(_ number: Int, wait: Int?) throws -> Pending {
      let question = #"{"askSlowly":{"_0":\#(number),"seconds":3}}"#
      return try ask(client, question, of: oracle, by: asker, wait: wait)
    }
    let soon = try askSlowly(4, wait: nil)
    let later = try askSlowly(5, wait: 2)
    let last = try askSlowly(6, wait: 10)
    await client.clock.advance(by: .seconds(2))
    #expect(try await soon.answer.text.hasSuffix(#"[],"refusals":0},"settled":false}"#))
    #expect(try await later.answer.text.hasSuffix(#"[],"refusals":0},"settled":false}"#))
    #expect(!last.isAnswered)
    #expect(try await !shown(client, asker).isSettled)
    await client.clock.advance(by: .seconds(1))
    // The oracle works for all three at once, and may answer them in any order.
    let answer = try await last.answer.json()
    let answers = try #require(answer["state"]).decode(Asker.State.self).answers
    #expect(answers.contains(6) && answer["settled"]?.bool == true)
    await client.clock.idle()
    #expect(try await shown(client, asker).state.answers.sorted() == [4, 5, 6])
    #expect(try await shown(client, asker).isSettled)
    let long = try ask(client, #"{"askLong":{"_0":7}}"#, of: oracle, by: asker, wait: 10)
    await client.clock.advance(by: .milliseconds(900))
    #expect(!long.isAnswered)
    await client.clock.advance(by: .milliseconds(200))
    #expect(try await long.answer.text.hasSuffix(#",7],"refusals":0},"settled":true}"#))
  }

  @Test func `is awaited in the patterns without effects`() async throws {
    let client = client()
    let (asker, oracle) = (
      try await create(client, "suspending"), try await create(client, "oracle")
    )
    let pending = try client.begin(
      .post,
      "/sessions/\(asker)/inputs",
      #"{"ask":{"of":"\#(oracle)"}}"#,
      headers: ["Prefer": "wait=10"]
    )
    await client.clock.advance(by: .seconds(2))
    #expect(!pending.isAnswered)
    await client.clock.advance(by: .seconds(2))
    #expect(try await pending.answer.text == #"{"version":2,"state":[7],"settled":true}"#)
  }

  @Test func `lets the next message pass that is sent before it`() async throws {
    let client = client()
    let (asker, oracle) = (
      try await create(client, "asker", "ada"), try await create(client, "oracle")
    )
    _ = try ask(client, #"{"askSlowly":{"_0":1,"seconds":5}}"#, of: oracle, by: asker)
    let second = try ask(client, #"{"ask":{"_0":2}}"#, of: oracle, by: asker, wait: 10)
    #expect(try await second.answer.text.contains(#"[2],"refusals":0},"settled":true"#))
    #expect(try await !shown(client, asker).isSettled)
    await client.clock.advance(by: .seconds(5))
    let (state, isSettled) = try await shown(client, asker)
    #expect(state.answers == [2, 1] && isSettled)
  }

  @Test func `and a refusal are awaited alike`() async throws {
    let client = client()
    let ringing = ringing(client)
    let (asker, oracle) = (
      try await create(client, "asker", "ada"), try await create(client, "oracle")
    )
    #expect(try await client.send(.delete, "/sessions/\(oracle)").status == 204)
    let pending = try ask(client, #"{"ask":{"_0":4}}"#, of: oracle, by: asker, wait: 10)
    await client.clock.advance(by: .seconds(1))
    #expect(try await pending.answer.text.hasSuffix(#"[],"refusals":1},"settled":true}"#))
    ringing.cancel()
    await client.clock.idle()
  }

  @Test func `is awaited from whom is asked after a refusal`() async throws {
    let client = client()
    let ringing = ringing(client)
    let asker = try await create(client, "asker", "ada")
    let oracle = try await create(client, "oracle")
    let question = #"{"askSlowly":{"_0":4,"seconds":3}}"#
    let pending = try client.begin(
      .post,
      "/sessions/\(asker)/inputs",
      #"{"askEither":{"_0":\#(question),"of":"nobody","or":"\#(oracle)"}}"#,
      headers: ["X-User": "ada", "Prefer": "wait=10"]
    )
    await client.clock.advance(by: .seconds(2))
    #expect(!pending.isAnswered)
    await client.clock.advance(by: .seconds(3))
    #expect(try await pending.answer.text.hasSuffix(#"[4],"refusals":0},"settled":true}"#))
    ringing.cancel()
    await client.clock.idle()
  }

  @Test func `is not needed by a long chain of messages, which uses up no limit`() async throws {
    let client = client()
    let oracle = try await create(client, "oracle")
    let path = "/sessions/\(oracle)/inputs"
    #expect(try await client.send(.post, path, #"{"count":1500}"#).status == 200)
    // A receiver that is at work is asked again after a while.
    await client.clock.advance(by: .seconds(1))
    let shown = try await client.send(.get, "/sessions/\(oracle)").text
    #expect(shown.hasSuffix(#"{"asked":[0],"lost":0},"settled":true}"#), "\(shown)")
    #expect(waiting(oracle) == 0)
  }

  @Test func `is not asked for twice, even if its sender has forgotten the first time`()
    async throws
  {
    let client = client()
    let (asker, oracle) = (
      try await create(client, "asker", "ada"), try await create(client, "oracle")
    )
    let deliveries = Mutex<[Delivery]>([])
    client.host.connections.connect { [api = client.api] envelope in
      var taken = envelope
      taken.receiver = SessionID(oracle)
      let delivery = await api.deliver(taken)
      deliveries.withLock { $0.append(delivery) }
      return delivery
    }
    _ = try await ask(client, #"{"ask":{"_0":4}}"#, of: oracle, by: asker).answer
    await client.clock.idle()
    #expect(deliveries.withLock { $0 } == [.refused(nil)])
    let shown = try await client.send(.get, "/sessions/\(oracle)")
    #expect(shown.text.contains(#""asked":[]"#))
  }

  @Test func `to a session that has ended is refused`() async throws {
    let client = client()
    let ringing = ringing(client)
    let (asker, oracle) = (
      try await create(client, "asker", "ada"), try await create(client, "oracle")
    )
    _ = try ask(client, #"{"askSlowly":{"_0":1,"seconds":5}}"#, of: oracle, by: asker)
    let ada: HTTPHeaders = ["X-User": "ada"]
    #expect(try await client.send(.delete, "/sessions/\(asker)", headers: ada).status == 204)
    await client.clock.advance(by: .seconds(6))
    let answer = try await client.send(.get, "/sessions/\(oracle)")
    #expect(answer.text.contains(#""lost":1"#))
    ringing.cancel()
    await client.clock.idle()
  }

  @Test func `that never comes does not keep its receiver unsettled`() async throws {
    let client = client()
    let (asker, oracle) = (
      try await create(client, "asker", "ada"), try await create(client, "oracle")
    )
    let silent = try ask(client, #"{"askSilently":{"_0":1}}"#, of: oracle, by: asker, wait: 10)
    #expect(try await silent.answer.text.hasSuffix(#"[],"refusals":0},"settled":true}"#))
    _ = try ask(client, #"{"askSlowly":{"_0":1,"seconds":500}}"#, of: oracle, by: asker)
    await client.clock.advance(by: .seconds(59))
    #expect(try await !shown(client, asker).isSettled)
    await client.clock.advance(by: .seconds(20))
    #expect(try await shown(client, asker).isSettled && waiting(asker) == 0)
    await client.clock.advance(by: .seconds(430))
    #expect(try await shown(client, asker).state.answers == [1])
  }

  @Test func `is awaited by its receiver after a crash, and comes once`() async throws {
    var client = client()
    let (asker, oracle) = (
      try await create(client, "asker", "ada"), try await create(client, "oracle")
    )
    // What is asked arrives, and what is replied does not.
    client.host.connections.connect { [api = client.api] envelope in
      "\(envelope.sender)" == oracle ? .failed : await api.deliver(envelope)
    }
    let answer = try await ask(client, #"{"ask":{"_0":4}}"#, of: oracle, by: asker, key: "k").answer
    #expect(answer.text.hasSuffix(#""settled":false}"#))
    await client.clock.advance(by: .seconds(1))
    #expect(waiting(asker) == 1 && waiting(oracle) == 1)
    client = try await client.restarted()
    #expect(try await !shown(client, asker).isSettled)
    let repeated = try ask(client, #"{"ask":{"_0":4}}"#, of: oracle, by: asker, key: "k")
    #expect(try await repeated.answer.text.hasSuffix(#""settled":false}"#))
    // Only the asking session wakes, and is told that the other owes it something.
    client.api.connectSessions()
    await client.clock.advance(by: .seconds(5))
    let (state, isSettled) = try await shown(client, asker)
    #expect(state.answers == [4] && isSettled)
    #expect(waiting(asker) == 0 && waiting(oracle) == 0)
    let third = try ask(client, #"{"ask":{"_0":4}}"#, of: oracle, by: asker, key: "k")
    #expect(try await third.answer.text.hasSuffix(#""settled":true}"#))
  }

  @Test func `lets sessions sleep that wait for it, and is awaited again when they wake`()
    async throws
  {
    let client = client()
    let asker = try await create(client, "asker", "ada")
    client.host.connections.connect { _ in .failed }
    let oracle = try await create(client, "oracle")
    _ = try await ask(client, #"{"ask":{"_0":4}}"#, of: oracle, by: asker).answer
    await client.clock.advance(by: .seconds(2))
    await client.host.sleeper.putIdleToSleep(after: .zero)
    #expect(client.host.directory.isAsleep(try #require(SessionID(asker))))
    #expect(try await !shown(client, asker).isSettled)
    client.api.connectSessions()
    await client.clock.advance(by: .seconds(20))
    #expect(try await shown(client, asker).isSettled)
  }

  @Test func `cannot be forged by a message`() async throws {
    let client = client()
    let asker = try await create(client, "asker", "ada")
    let other = try await create(client, "asker", "bob")
    // Bob's session sends Ada's an Input without having been asked.
    let body = #"{"ask":{"_0":{"ask":{"_0":9}},"of":"\#(asker)"}}"#
    let bob: HTTPHeaders = ["X-User": "bob"]
    let path = "/sessions/\(other)/inputs"
    #expect(try await client.send(.post, path, body, headers: bob).status == 200)
    let direct = try await client.send(.post, "/sessions/\(asker)/inputs", #"{"answered":9}"#)
    #expect(direct.status == 404)
    await client.clock.advance(by: .seconds(2))
    #expect(try await shown(client, asker).state.answers == [])
  }
}
