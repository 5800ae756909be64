import FusionHTTPMessages
import FusionSessionAPI
import FusionSessions
import FusionStoreDoubles
import FusionStrictJSON
import Testing
import UIFusionKit
import UIFusionServer
import UIFusionTesting

/// Inputs of a driver's share: all that they cause has the rights of nobody.
///
/// In one process, which takes the sender of a request from a header.
struct `An Input by a share of another identity's session` {
  private let store = MemorySessionStore()

  /// The ledgers of a test, each with its name in ``Errand/address(_:)``.
  private struct Ledgers {
    /// Ada's, by their ids and by the name.
    let own: [String]
    /// Those that anybody may use.
    let open: [String]
  }

  private func client(stored isStored: Bool = true) -> Client {
    var options = SessionAPI.Options()
    options.authenticate = { request, _, done in
      let user = request.headers["X-User"]
      done(.success(user == "program" ? .program : user.map { RequestSender($0) }))
    }
    let client = Client(options: options, store: isStored ? store : nil) {
      $0.host("ledger", summary: "") { _ in Ledger() }
      $0.host("errand", summary: "") { _ in Errand() }
    }
    client.api.connectSessions()
    return client
  }

  private func id(_ answer: Answer) throws -> String {
    String(try #require(answer["Location"]).dropFirst("/sessions/".count))
  }

  private func create(_ client: Client, _ body: String, _ user: String?) async throws -> String {
    try id(try await client.send(.post, "/sessions", body, headers: headers(user)))
  }

  private func headers(_ user: String?) -> HTTPHeaders { user.map { ["X-User": $0] } ?? [:] }

  private func share(_ client: Client, _ session: String, _ user: String) async throws -> String {
    let path = "/sessions/\(session)/shares"
    let body = #"{"role":"driver"}"#
    return try id(try await client.send(.post, path, body, headers: headers(user)))
  }

  private func ledgers(_ client: Client) async throws -> Ledgers {
    let named = #"{"viewModel":"ledger","name":"x"}"#
    let shared = #"{"viewModel":"ledger","name":"x","scope":"shared"}"#
    let nobodys = try await create(client, #"{"viewModel":"ledger"}"#, nil)
    let own = try await create(client, named, "ada")
    let open = try await create(client, shared, "carl")
    return Ledgers(own: [own, "@x"], open: [nobodys, open, "#x"])
  }

  /// Keeps alarms ringing while `body` runs.
  private func ringing(_ client: Client, _ body: () async throws -> Void) async throws {
    let ringing = Task(executorPreference: client.clock.executor) { [host = client.host] in
      try await host.alarmWaker.run()
    }
    try await body()
    ringing.cancel()
    await client.clock.idle()
  }

  private func post(
    _ client: Client,
    _ input: String,
    to id: String,
    _ user: String?
  ) async throws {
    let path = "/sessions/\(id)/inputs"
    #expect(try await client.send(.post, path, input, headers: headers(user)).status == 200)
  }

  private func state<State: Codable & Sendable>(
    _ client: Client,
    _ id: String,
    as type: State.Type
  ) async throws -> State {
    let answer = try await client.send(.get, "/sessions/\(id)", headers: headers("program"))
    return try #require(answer.json()["state"]).decode(State.self)
  }

  /// Returns the number of notes in all ledgers.
  private func notes(_ client: Client, _ ledgers: Ledgers) async throws -> Int {
    var count = 0
    for id in [ledgers.own[0], ledgers.open[0], ledgers.open[1]] {
      count += try await state(client, id, as: Ledger.State.self).notes.count
    }
    return count
  }

  /// Sends a note in a way; returns whether it has arrived, and not been refused.
  private func arrives(
    _ client: Client,
    _ way: Errand.Way,
    to target: String,
    _ ledgers: Ledgers,
    from session: String,
    by id: String,
    _ user: String?
  ) async throws -> Bool {
    let before = try await notes(client, ledgers)
    let refused = try await state(client, session, as: Errand.State.self).refused
    try await post(client, #"{"send":{"_0":"\#(way)","to":"\#(target)"}}"#, to: id, user)
    await client.clock.advance(by: .seconds(6))
    let isRefused = try await state(client, session, as: Errand.State.self).refused > refused
    let hasArrived = try await notes(client, ledgers) > before
    #expect(isRefused != hasArrived, "\(way) \(target) \(user ?? "nobody")")
    return hasArrived
  }

  @Test(arguments: Errand.Way.allCases)
  func `sends messages only to what anybody may use, in every way`(way: Errand.Way) async throws {
    let client = client()
    let ledgers = try await ledgers(client)
    let session = try await create(client, #"{"viewModel":"errand"}"#, "ada")
    let share = try await share(client, session, "ada")
    try await ringing(client) {
      let senders: [(id: String, user: String?, isOwner: Bool)] = [
        (share, "bob", false), (session, "ada", true), (share, nil, false),
        (session, "program", true), (share, "ada", true),
      ]
      for (id, user, isOwner) in senders {
        for target in ledgers.own {
          let arrives = try await arrives(
            client,
            way,
            to: target,
            ledgers,
            from: session,
            by: id,
            user
          )
          #expect(arrives == isOwner, "\(way) \(target) \(user ?? "nobody")")
        }
        for target in ledgers.open {
          let arrives = try await arrives(
            client,
            way,
            to: target,
            ledgers,
            from: session,
            by: id,
            user
          )
          #expect(arrives, "\(way) \(target) \(user ?? "nobody")")
        }
      }
    }
  }

  @Test(arguments: [Errand.Way.pause, .timer, .queue, .alarm, .alarmOfEffect])
  func `has no more rights after a crash`(way: Errand.Way) async throws {
    for (user, isOwner) in [("bob", false), ("ada", true)] {
      let client = client()
      let ledgers = try await ledgers(client)
      let session = try await create(client, #"{"viewModel":"errand"}"#, "ada")
      let id = isOwner ? session : try await share(client, session, "ada")
      try await post(client, #"{"send":{"_0":"\#(way)","to":"@x"}}"#, to: id, user)
      let later = try await client.restarted()
      later.api.connectSessions()
      try await ringing(later) {
        _ = try await state(later, session, as: Errand.State.self)
        await later.clock.advance(by: .seconds(6))
        #expect((try await notes(later, ledgers) > 0) == isOwner, "\(way)")
      }
    }
  }

  @Test func `follows only what anybody may use, until somebody else follows it anew`()
    async throws
  {
    let client = client()
    let ledgers = try await ledgers(client)
    for id in [ledgers.own[0], ledgers.open[0], ledgers.open[1]] {
      try await post(client, #"{"note":7}"#, to: id, "program")
    }
    let session = try await create(client, #"{"viewModel":"errand"}"#, "ada")
    let share = try await share(client, session, "ada")
    func seen(_ target: String?, by id: String, _ user: String) async throws -> [Int] {
      let input = target.map { #"{"follow":{"_0":"\#($0)"}}"# } ?? #"{"follow":{}}"#
      try await post(client, input, to: id, user)
      await client.clock.idle()
      return try await state(client, session, as: Errand.State.self).notes
    }
    for target in ledgers.own {
      #expect(try await seen(target, by: share, "bob") == [])
      // The owner has not asked for it.
      try await post(client, #""other""#, to: session, "ada")
      await client.clock.idle()
      #expect(try await state(client, session, as: Errand.State.self).notes == [])
      _ = try await seen(nil, by: session, "ada")
      #expect(try await seen(target, by: session, "ada").first == 7)
      // What the owner follows, stays.
      try await post(client, #""other""#, to: share, "bob")
      let id = ledgers.own[0]
      try await post(client, #"{"note":8}"#, to: id, "ada")
      await client.clock.idle()
      #expect(try await state(client, session, as: Errand.State.self).notes.last == 8)
      _ = try await seen(nil, by: share, "bob")
      #expect(try await seen(target, by: share, "bob") == [])
      _ = try await seen(nil, by: share, "bob")
      #expect(try await seen(target, by: share, "ada").first == 7)
      _ = try await seen(nil, by: share, "bob")
    }
    for target in ledgers.open { #expect(try await seen(target, by: share, "bob") == [7]) }
  }

  @Test(arguments: [true, false], 0...1)
  func `follows no more after a crash or a sleep`(isCrash: Bool, index: Int) async throws {
    var client = client()
    let ledgers = try await ledgers(client)
    try await post(client, #"{"note":7}"#, to: ledgers.own[0], "ada")
    let session = try await create(client, #"{"viewModel":"errand"}"#, "ada")
    let share = try await share(client, session, "ada")
    let input = #"{"follow":{"_0":"\#(ledgers.own[index])"}}"#
    try await post(client, input, to: share, "bob")
    await client.clock.idle()
    for _ in 1...2 {
      if isCrash {
        client = try await client.restarted()
        client.api.connectSessions()
      } else {
        await client.clock.advance(by: .seconds(61))
        await client.host.sleeper.putIdleToSleep()
        #expect(client.host.directory.isAsleep(try #require(SessionID(session))))
      }
      try await post(client, #""other""#, to: session, "ada")
      await client.clock.idle()
      #expect(try await state(client, session, as: Errand.State.self).notes == [])
    }
    // The session may expire nevertheless.
    await client.clock.advance(by: .seconds(10))
    try await post(client, #"{"follow":{}}"#, to: session, "ada")
    try await post(client, input, to: session, "ada")
    await client.clock.idle()
    #expect(try await state(client, session, as: Errand.State.self).notes == [7])
  }

  @Test(arguments: [true, false])
  func `does not keep the session from expiring`(isRestarted: Bool) async throws {
    var client = client()
    let session = try await create(client, #"{"viewModel":"errand"}"#, "ada")
    let share = try await share(client, session, "ada")
    try await post(client, ##"{"follow":{"_0":"#x"}}"##, to: share, "bob")
    await client.clock.idle()
    let stored = try #require(SessionID(session).flatMap { store.stored($0) })
    #expect(stored.alarms.map(\.isRecord) == [true])
    if isRestarted {
      client = try await client.restarted()
      client.api.connectSessions()
      _ = try await state(client, session, as: Errand.State.self)
    }
    await client.clock.advance(by: .seconds(1801))
    client.host.expirer.expire()
    await client.clock.idle()
    #expect(client.host.directory.count == 0)
  }
}
