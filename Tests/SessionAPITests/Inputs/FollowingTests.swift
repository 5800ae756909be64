import FusionHTTPMessages
import FusionSessionAPI
import FusionSessions
import FusionStoreDoubles
import FusionStrictJSON
import Testing
import UIFusionKit
import UIFusionServer
import UIFusionTesting

/// Sessions in one process, which takes the sender of a request from a header.
struct `A session that follows another` {
  private let store = MemorySessionStore()

  private func client(stored isStored: Bool = true) -> Client {
    var options = SessionAPI.Options()
    options.authenticate = { request, _, done in
      done(.success(request.headers["X-User"].map { RequestSender($0) }))
    }
    let client = Client(options: options, store: isStored ? store : nil) {
      $0.host("ledger", summary: "") { _ in Ledger() }
      $0.host("fan", summary: "") { _ in Fan() }
    }
    client.api.connectSessions()
    return client
  }

  private func create(
    _ client: Client,
    _ viewModel: String,
    _ user: String? = nil,
    name: String? = nil,
    shared isShared: Bool = false
  ) async throws -> String {
    let name = name.map { #","name":"\#($0)""# } ?? ""
    let scope = isShared ? #","scope":"shared""# : ""
    let body = #"{"viewModel":"\#(viewModel)"\#(name)\#(scope)}"#
    let answer = try await client.send(.post, "/sessions", body, headers: headers(user))
    return String(try #require(answer["Location"]).dropFirst("/sessions/".count))
  }

  private func headers(_ user: String?) -> HTTPHeaders { user.map { ["X-User": $0] } ?? [:] }

  private func send(
    _ client: Client,
    _ input: String,
    to id: String,
    _ user: String? = nil
  ) async throws {
    let path = "/sessions/\(id)/inputs"
    #expect(try await client.send(.post, path, input, headers: headers(user)).status == 200)
    await client.clock.idle()
  }

  private func note(_ client: Client, _ number: Int, in id: String) async throws {
    try await send(client, #"{"note":{"_0":\#(number)}}"#, to: id)
  }

  private func state(_ client: Client, _ id: String, _ user: String? = nil) async throws
    -> Fan.State
  {
    await client.clock.idle()
    let answer = try await client.send(.get, "/sessions/\(id)", headers: headers(user))
    return try #require(answer.json()["state"]).decode(Fan.State.self)
  }

  private func asleep(_ client: Client, _ id: String) throws -> Bool {
    client.host.directory.isAsleep(try #require(SessionID(id)))
  }

  @Test(arguments: [true, false])
  func `receives the other's State at once, and every newer one`(isStored: Bool) async throws {
    let client = client(stored: isStored)
    let (fan, ledger) = (try await create(client, "fan"), try await create(client, "ledger"))
    try await note(client, 1, in: ledger)
    try await send(client, #"{"follow":{"_0":"\#(ledger)"}}"#, to: fan)
    #expect(try await state(client, fan) == Fan.State(source: ledger, notes: [1], count: 1))
    try await note(client, 2, in: ledger)
    #expect(try await state(client, fan) == Fan.State(source: ledger, notes: [1, 2], count: 2))
    try await send(client, #"{"follow":{}}"#, to: fan)
    try await note(client, 3, in: ledger)
    #expect(try await state(client, fan) == Fan.State())
  }

  @Test func `receives only stored States, and follows once its own turn is stored`() async throws {
    let client = client()
    let (fan, ledger) = (try await create(client, "fan"), try await create(client, "ledger"))
    let lifeline = try #require(client.lifeline)
    lifeline.hold()
    let follow = #"{"follow":{"_0":"\#(ledger)"}}"#
    let pending = try client.begin(.post, "/sessions/\(fan)/inputs", follow)
    await client.clock.idle()
    #expect(try client.host.followers(of: ledger) == 0)
    lifeline.release()
    await client.clock.idle()
    #expect(try pending.isAnswered && client.host.followers(of: ledger) == 1)
    lifeline.hold()
    _ = try client.begin(.post, "/sessions/\(ledger)/inputs", #"{"note":{"_0":1}}"#)
    #expect(try await state(client, fan).notes == [])
    lifeline.release()
    #expect(try await state(client, fan).notes == [1])
  }

  @Test func `receives the newest State first after a crash, if its part has changed`()
    async throws
  {
    let client = client()
    let (fan, ledger) = (try await create(client, "fan"), try await create(client, "ledger"))
    try await send(client, #"{"follow":{"_0":"\#(ledger)"}}"#, to: fan)
    try await note(client, 1, in: ledger)
    #expect(try await state(client, fan).notes == [1])
    let next = try await client.restarted()
    next.api.connectSessions()
    for number in 2...4 { try await note(next, number, in: ledger) }
    // Wakes the follower.
    _ = try await state(next, fan)
    #expect(try await state(next, fan).notes == [1, 2, 3, 4])
    try await note(next, 5, in: ledger)
    #expect(try await state(next, fan).notes == [1, 2, 3, 4, 5])
  }

  @Test func `is told of the other's end, at once or when it wakes`() async throws {
    let client = client()
    let (fan, ledger) = (try await create(client, "fan"), try await create(client, "ledger"))
    let other = try await create(client, "fan")
    for id in [fan, other] { try await send(client, #"{"follow":{"_0":"\#(ledger)"}}"#, to: id) }
    try await note(client, 1, in: ledger)
    await client.clock.advance(by: .seconds(61))
    _ = try await state(client, fan)
    await client.host.sleeper.putIdleToSleep()
    #expect(try asleep(client, other) && !asleep(client, fan))
    #expect(try await client.send(.delete, "/sessions/\(ledger)").status == 204)
    let over = try await state(client, fan)
    #expect(over.isOver && over.notes == [1] && over.source == nil)
    _ = try await state(client, other)
    #expect(try await state(client, other).isOver)
    try await send(client, #"{"follow":{"_0":"no-id"}}"#, to: fan)
    #expect(try await state(client, fan) == Fan.State(isOver: true))
  }

  @Test func `is shown nothing, and not told of an end, if it follows itself`() async throws {
    let client = client()
    let fan = try await create(client, "fan", "ada", name: "me")
    try await send(client, #"{"follow":{"_0":"\#(fan)"}}"#, to: fan, "ada")
    await client.clock.advance(by: .seconds(30))
    let state = try await state(client, fan, "ada")
    #expect(state.source == fan && !state.isOver && state.count == 0)
  }

  @Test func `keeps the other awake only while awake itself`() async throws {
    let client = client()
    let (fan, ledger) = (try await create(client, "fan"), try await create(client, "ledger"))
    try await send(client, #"{"follow":{"_0":"\#(ledger)"}}"#, to: fan)
    await client.clock.advance(by: .seconds(40))
    _ = try await state(client, fan)
    await client.clock.advance(by: .seconds(40))
    await client.host.sleeper.putIdleToSleep()
    #expect(try !asleep(client, ledger) && !asleep(client, fan))
    await client.clock.advance(by: .seconds(61))
    await client.host.sleeper.putIdleToSleep()
    await client.clock.advance(by: .seconds(61))
    await client.host.sleeper.putIdleToSleep()
    #expect(client.host.directory.awake == 0)
  }

  @Test func `stops following once its State says so`() async throws {
    let client = client()
    let (fan, ledger) = (try await create(client, "fan"), try await create(client, "ledger"))
    try await send(client, #"{"follow":{"_0":"\#(ledger)"}}"#, to: fan)
    await client.clock.idle()
    #expect(try client.host.followers(of: ledger) == 1)
    try await send(client, #"{"follow":{}}"#, to: fan)
    await client.clock.idle()
    #expect(try client.host.followers(of: ledger) == 0)
  }

  @Test func `follows only sessions that its identity may use, by id and by name`() async throws {
    let client = client()
    let fan = try await create(client, "fan", "ada")
    let hers = try await create(client, "ledger", "ada", name: "x")
    let bobs = try await create(client, "ledger", "bob", name: "y")
    let shared = try await create(client, "ledger", "bob", name: "x", shared: true)
    try await send(client, #"{"note":{"_0":1}}"#, to: hers, "ada")
    try await send(client, #"{"note":{"_0":2}}"#, to: bobs, "bob")
    try await send(client, #"{"note":{"_0":3}}"#, to: shared, "bob")
    for (id, notes) in [(hers, [1]), (bobs, []), (shared, [3])] {
      try await send(client, #"{"follow":{"_0":"\#(id)"}}"#, to: fan, "ada")
      let state = try await state(client, fan, "ada")
      #expect(state.notes == notes && state.isOver == notes.isEmpty)
    }
    for (name, isShared, notes) in [("x", false, [1]), ("x", true, [3]), ("y", false, [])] {
      let input = #"{"followNamed":{"_0":"\#(name)","shared":\#(isShared)}}"#
      try await send(client, input, to: fan, "ada")
      let state = try await state(client, fan, "ada")
      #expect(state.notes == notes && state.isOver == notes.isEmpty)
    }
  }

  @Test(arguments: [true, false])
  func `follows a name before a session has it, and from one session to the next`(
    isShared: Bool
  ) async throws {
    let client = client()
    let fan = try await create(client, "fan")
    try await send(client, #"{"watchNamed":{"_0":"x","shared":\#(isShared)}}"#, to: fan)
    #expect(try await state(client, fan).ends == 1)
    await client.clock.advance(by: .seconds(600))
    #expect(try await state(client, fan).ends == 1)
    for turn in 1...3 {
      let ledger = try await create(client, "ledger", name: "x", shared: isShared)
      await client.clock.advance(by: .seconds(10))
      // Shown each time, though it is the same State as that of the one before.
      let first = try await state(client, fan)
      #expect(first.notes == [] && first.count == turn * 2 - 1 && first.ends == turn)
      try await note(client, turn, in: ledger)
      #expect(try await state(client, fan).notes == [turn])
      #expect(try await client.send(.delete, "/sessions/\(ledger)").status == 204)
      let last = try await state(client, fan)
      #expect(last.count == turn * 2 && last.ends == turn + 1)
    }
  }

  @Test func `follows again after the store has failed for either of them`() async throws {
    let client = client()
    let (fan, ledger) = (try await create(client, "fan"), try await create(client, "ledger"))
    try await send(client, #"{"follow":{"_0":"\#(ledger)"}}"#, to: fan)
    let lifeline = try #require(client.lifeline)
    for (id, input) in [(ledger, #"{"note":{"_0":9}}"#), (fan, #"{"follow":{}}"#)] {
      lifeline.fail(.unreachable("on purpose"))
      #expect(try await client.send(.post, "/sessions/\(id)/inputs", input).status == 503)
      lifeline.fail(nil)
      await client.clock.advance(by: .seconds(15))
      _ = try await state(client, fan)
      try await note(client, 1, in: ledger)
      #expect(try await state(client, fan).notes.last == 1)
    }
    #expect(try await state(client, fan).notes == [1, 1])
  }
}

extension SessionHost {
  /// Returns the number of followers of a session that is awake.
  fileprivate func followers(of id: String) throws -> Int {
    guard case .resident(let session) = directory.find(try #require(SessionID(id))) else {
      return -1
    }
    return session.feed.followers
  }
}
