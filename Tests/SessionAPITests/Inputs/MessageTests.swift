import FoundationEssentials
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

/// Messages in one process, which takes the sender of a request from a header.
struct `A message between sessions` {
  private let store = MemorySessionStore()

  private func client(stored isStored: Bool = true) -> Client {
    var options = SessionAPI.Options()
    options.authenticate = { request, _, done in
      done(.success(request.headers["X-User"].map { RequestSender($0) }))
    }
    let client = Client(options: options, store: isStored ? store : nil) {
      $0.host("ledger", summary: "") { _ in Ledger() }
    }
    client.api.connectSessions()
    return client
  }

  private func create(
    _ client: Client,
    _ user: String? = nil,
    name: String? = nil,
    shared isShared: Bool = false
  ) async throws -> String {
    let name = name.map { #","name":"\#($0)""# } ?? ""
    let body = #"{"viewModel":"ledger"\#(name)\#(isShared ? #","scope":"shared""# : "")}"#
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

  private func state(_ client: Client, _ id: String, _ user: String? = nil) async throws
    -> Ledger.State
  {
    let answer = try await client.send(.get, "/sessions/\(id)", headers: headers(user))
    return try #require(answer.json()["state"]).decode(Ledger.State.self)
  }

  private func waiting(_ id: String) -> Int {
    SessionID(id).flatMap { store.stored($0) }?.alarms.count { $0.isMessage } ?? -1
  }

  @Test(arguments: [true, false])
  func `arrives at once, in order and with its sender, stored or not`(isStored: Bool) async throws {
    let client = client(stored: isStored)
    let (a, b) = (try await create(client), try await create(client))
    try await send(client, #"{"tell":{"_0":[1,2,3,4,5],"to":"\#(b)"}}"#, to: a)
    #expect(try await state(client, b) == Ledger.State(notes: [1, 2, 3, 4, 5], senders: [a]))
    if isStored { #expect(waiting(a) == 0) }
  }

  @Test func `is not delivered before the turn that sends it is stored`() async throws {
    let client = client()
    let (a, b) = (try await create(client), try await create(client))
    let lifeline = try #require(client.lifeline)
    lifeline.hold()
    let body = #"{"tell":{"_0":[1,2],"to":"\#(b)"}}"#
    let pending = try client.begin(.post, "/sessions/\(a)/inputs", body)
    await client.clock.advance(by: .seconds(1))
    #expect(!pending.isAnswered)
    #expect(try await state(client, b).notes == [])
    lifeline.release()
    await client.clock.idle()
    #expect(pending.isAnswered && waiting(a) == 0)
    #expect(try await state(client, b).notes == [1, 2])
  }

  @Test func `is not applied again if its acknowledgement was lost`()
    async throws
  {
    let client = client()
    let (a, b) = (try await create(client), try await create(client))
    try await send(client, #"{"tell":{"_0":[1,2,3],"to":"\#(b)"}}"#, to: a)
    let stored = try #require(SessionID(a).flatMap { store.stored($0) })
    let key = try #require(SessionID(b).flatMap { store.stored($0) }?.keys.last)
    let number = try #require(key.messageNumber)
    #expect(number >> 10 == 1)
    // The sender's store loses the last acknowledgement, and has a fourth message.
    let body = Array(#"{"note":3}"#.utf8)
    let again = Message(number, to: .id(b), body)
    let next = Message(number + 1, to: .id(b), Array(#"{"note":4}"#.utf8))
    var append = StoreChange.Append(stored.id, after: stored.sequence, [])
    for message in [again, next] {
      let name = message.name.bytes
      append.alarms[name] = StoredAlarm(name, at: WallTime(milliseconds: 0), message.alarm.action)
    }
    let later = try await client.restarted()
    await commit(append)
    later.api.connectSessions()
    let ringing = Task(executorPreference: later.clock.executor) { [host = later.host] in
      try await host.alarmWaker.run()
    }
    await later.clock.advance(by: .seconds(3))
    #expect(try await state(later, b).notes == [1, 2, 3, 4])
    #expect(waiting(a) == 0)
    ringing.cancel()
    await later.clock.idle()
  }

  private func commit(_ append: StoreChange.Append) async {
    await withCheckedContinuation { done in
      store.commit(.append(append)) {
        #expect($0 == nil)
        done.resume()
      }
    }
  }

  @Test func `waits for a receiver out of reach, and keeps its sender from expiring`() async throws
  {
    var limits = SessionLimits()
    limits.idleTime = .seconds(100)
    let client = Client(limits: limits, store: store) {
      $0.host("ledger", summary: "") { _ in Ledger() }
    }
    let (a, b) = (try await create(client), try await create(client))
    // Messages are not delivered yet.
    try await send(client, #"{"tell":{"_0":[1],"to":"\#(b)"}}"#, to: a)
    try await send(client, #"{"tell":{"_0":[2],"to":"\#(b)"}}"#, to: a)
    #expect(waiting(a) == 2)
    await client.clock.advance(by: .seconds(99))
    _ = try await state(client, b)
    await client.clock.advance(by: .seconds(50))
    client.host.expirer.expire()
    await client.clock.idle()
    #expect(client.host.directory.count == 2)
    client.api.connectSessions()
    await client.clock.advance(by: .seconds(30))
    #expect(try await state(client, b).notes == [1, 2])
    #expect(waiting(a) == 0)
    await client.clock.advance(by: .seconds(101))
    client.host.expirer.expire()
    await client.clock.idle()
    #expect(client.host.directory.count == 0)
  }

  @Test func `comes back as an action if its receiver refuses it`() async throws {
    let client = client()
    let (a, b) = (try await create(client), try await create(client))
    let ringing = Task(executorPreference: client.clock.executor) { [host = client.host] in
      try await host.alarmWaker.run()
    }
    try await send(client, #"{"nonsense":{"_0":1,"to":"\#(b)"}}"#, to: a)
    try await send(client, #"{"tell":{"_0":[2],"to":"no-id"}}"#, to: a)
    #expect(try await client.send(.delete, "/sessions/\(b)").status == 204)
    try await send(client, #"{"tell":{"_0":[3,4],"to":"\#(b)"}}"#, to: a)
    let tooLong = String(repeating: "x", count: 256)
    try await send(client, #"{"tellNamed":{"_0":[5],"name":"\#(tooLong)","shared":true}}"#, to: a)
    await client.clock.advance(by: .seconds(1))
    #expect(try await state(client, a).refused == [1, 2, 3, 4, 5])
    #expect(SessionID(a).flatMap { store.stored($0) }?.alarms == [])
    ringing.cancel()
    await client.clock.idle()
  }

  @Test func `comes back in order, though the calendar is set back while its sender sleeps`()
    async throws
  {
    let client = client()
    let a = try await create(client)
    let stored = try #require(SessionID(a).flatMap { store.stored($0) })
    // The process ends between the refusals and their actions.
    var append = StoreChange.Append(stored.id, after: stored.sequence, [])
    for number in 5...15 {
      let action = Array(#"{"back":{"_0":\#(number)}}"#.utf8)
      let message = Message(Int64(number), to: .id("no-id"), [], ifRefused: action)
      let alarm = try #require(message.refusalAlarm(because: "no"))
      let time = WallTime(milliseconds: alarm.time)
      append.alarms[alarm.name.bytes] = StoredAlarm(alarm.name.bytes, at: time, alarm.stored)
    }
    let later = try await client.restarted()
    await commit(append)
    later.clock.date = Date(timeIntervalSince1970: 0)
    let ringing = Task(executorPreference: later.clock.executor) { [host = later.host] in
      try await host.alarmWaker.run()
    }
    await later.clock.idle()
    #expect(SessionID(a).flatMap { store.stored($0) }?.alarms == [])
    #expect(try await state(later, a).refused == Array(5...15))
    ringing.cancel()
    await later.clock.idle()
  }

  @Test func `is not delivered before the refusal of the previous one is stored`() async throws {
    let client = client()
    let (a, b) = (try await create(client), try await create(client))
    let lifeline = try #require(client.lifeline)
    let numbers = Mutex<[Int64]>([])
    client.host.connections.connect { envelope in
      numbers.withLock { $0.append(envelope.message.number) }
      guard numbers.withLock({ $0.count == 1 }) else { return .delivered }
      lifeline.hold()
      return .refused(nil)
    }
    try await send(client, #"{"tell":{"_0":[1,2],"to":"\#(b)"}}"#, to: a)
    #expect(numbers.withLock { $0.count } == 1)
    lifeline.release()
    await client.clock.idle()
    #expect(numbers.withLock { $0.count } == 2 && waiting(a) == 0)
  }

  @Test func `keeps its sender awake during delivery, and wakes it seldom for a retry`()
    async throws
  {
    let client = client()
    let (a, b) = (try await create(client), try await create(client))
    let id = try #require(SessionID(a))
    let answers = Mutex<[CheckedContinuation<Delivery, Never>]>([])
    client.host.connections.connect { _ in
      await withCheckedContinuation { answer in answers.withLock { $0.append(answer) } }
    }
    let ringing = Task(executorPreference: client.clock.executor) { [host = client.host] in
      try await host.alarmWaker.run()
    }
    func fail() async {
      for answer in answers.withLock({ $0 }) { answer.resume(returning: .failed) }
      answers.withLock { $0 = [] }
      await client.clock.idle()
    }
    try await send(client, #"{"tell":{"_0":[1],"to":"\#(b)"}}"#, to: a)
    await client.clock.advance(by: .seconds(2))
    await client.host.sleeper.putIdleToSleep(after: .zero)
    #expect(
      client.host.directory.isAsleep(try #require(SessionID(b)))
        && !client.host.directory.isAsleep(id)
    )
    await fail()
    await client.host.sleeper.putIdleToSleep(after: .zero)
    await client.clock.advance(by: .seconds(5))
    #expect(client.host.directory.isAsleep(id))
    await client.clock.advance(by: .seconds(10))
    #expect(!client.host.directory.isAsleep(id) && answers.withLock { $0.count } == 1)
    await fail()
    ringing.cancel()
    await client.clock.idle()
  }

  @Test func `is retried while its receiver has too many messages of its own`() async throws {
    let client = Client(store: store) { $0.host("ledger", summary: "") { _ in Ledger() } }
    let (a, b, c) = (try await create(client), try await create(client), try await create(client))
    // Messages are not delivered yet: the first one is tried before those that fill its receiver.
    try await send(client, #"{"order":{"_0":1,"to":"\#(b)","of":"\#(c)"}}"#, to: a)
    await client.clock.advance(by: .milliseconds(50))
    try await send(client, #"{"tell":{"_0":\#(Array(1...1_000)),"to":"\#(c)"}}"#, to: b)
    await client.clock.advance(by: .milliseconds(450))
    #expect(waiting(b) == 1_000)
    client.api.connectSessions()
    await client.clock.advance(by: .seconds(5))
    #expect(try await state(client, c).notes == Array(1...1_000) + [1])
    #expect(waiting(a) == 0)
  }

  @Test func `is retried while its receiver's queue is full`() async throws {
    var limits = SessionLimits()
    (limits.unstoredBytes, limits.queuedInputs) = (1, 1)
    let client = Client(limits: limits, store: store) {
      $0.host("ledger", summary: "") { _ in Ledger() }
    }
    let (a, b) = (try await create(client), try await create(client))
    // Messages are not delivered yet.
    try await send(client, #"{"tell":{"_0":[3],"to":"\#(b)"}}"#, to: a)
    let lifeline = try #require(client.lifeline)
    lifeline.hold()
    for note in 1...2 {
      _ = try client.begin(.post, "/sessions/\(b)/inputs", #"{"note":\#(note)}"#)
    }
    client.api.connectSessions()
    await client.clock.advance(by: .seconds(2))
    lifeline.release()
    await client.clock.advance(by: .seconds(10))
    #expect(try await state(client, b).notes == [1, 2, 3])
    #expect(waiting(a) == 0)
  }

  @Test func `is retried while the receiver cannot be read`() async throws {
    let (all, one) = (hosting(["ledger", "other"]), hosting(["ledger"]))
    var client = Client(store: store) { $0 = all }
    let body = #"{"viewModel":"other"}"#
    let created = try await client.send(.post, "/sessions", body)
    let receiver = String(try #require(created["Location"]).suffix(22))
    let sender = try await create(client)
    // The client is not connected yet, so the message waits.
    try await send(client, #"{"tell":{"_0":[1],"to":"\#(receiver)"}}"#, to: sender)
    client = try await client.restarted(hosting: one.viewModels)
    client.api.connectSessions()
    _ = try await state(client, sender)
    await client.clock.advance(by: .seconds(5))
    #expect(try await state(client, sender).refused == [] && waiting(sender) == 1)
    client = try await client.restarted(hosting: all.viewModels)
    client.api.connectSessions()
    _ = try await state(client, sender)
    await client.clock.advance(by: .seconds(5))
    #expect(try await state(client, receiver).notes == [1] && waiting(sender) == 0)
  }

  /// Hosts ledgers under several names.
  private func hosting(_ names: [String]) -> ViewModelCatalog {
    var catalog = ViewModelCatalog()
    for name in names { catalog.host(name, summary: "") { _ in Ledger() } }
    return catalog
  }

  @Test func `differs from those that its sender sent before a restart`() async throws {
    let client = client()
    let (a, b) = (try await create(client), try await create(client))
    try await send(client, #"{"tell":{"_0":[1,2],"to":"\#(b)"}}"#, to: a)
    let later = try await client.restarted()
    later.api.connectSessions()
    try await send(later, #"{"tell":{"_0":[3],"to":"\#(b)"}}"#, to: a)
    #expect(try await state(later, b).notes == [1, 2, 3])
  }

  @Test func `is sent neither to a share nor as a batch`() async throws {
    let client = client()
    let (a, b) = (try await create(client), try await create(client))
    let shares = "/sessions/\(b)/shares"
    let answer = try await client.send(.post, shares, #"{"role":"driver"}"#)
    let share = try #require(answer["Location"]).dropFirst("/sessions/".count)
    try await send(client, #"{"tell":{"_0":[1],"to":"\#(share)"}}"#, to: a)
    #expect(try await state(client, b).notes == [] && waiting(a) == 0)
    let batch = #"{"batch":{"_0":[1,2],"to":"\#(b)"}}"#
    let refused = try await client.send(.post, "/sessions/\(a)/inputs", batch)
    #expect(refused.status == 500 && waiting(a) == 0)
  }

  @Test func `reaches only sessions that its sender's identity may use, by id and by name`()
    async throws
  {
    let client = client()
    let ringing = Task(executorPreference: client.clock.executor) { [host = client.host] in
      try await host.alarmWaker.run()
    }
    let ada = try await create(client, "ada")
    let hers = try await create(client, "ada", name: "x")
    let bobs = try await create(client, "bob", name: "x")
    let shared = try await create(client, "bob", name: "x", shared: true)
    let nobodys = try await create(client)
    for (number, id) in [hers, bobs, shared, nobodys].enumerated() {
      try await send(client, #"{"tell":{"_0":[\#(number)],"to":"\#(id)"}}"#, to: ada, "ada")
    }
    try await send(client, #"{"tellNamed":{"_0":[7],"name":"x","shared":false}}"#, to: ada, "ada")
    try await send(client, #"{"tellNamed":{"_0":[8],"name":"x","shared":true}}"#, to: ada, "ada")
    await client.clock.advance(by: .seconds(1))
    #expect(try await state(client, hers, "ada").notes == [0, 7])
    #expect(try await state(client, bobs, "bob").notes == [])
    #expect(try await state(client, shared, "bob").notes == [2, 8])
    #expect(try await state(client, nobodys).notes == [3])
    #expect(try await state(client, ada, "ada").refused == [1])
    // A session without an identity may use what anybody may.
    try await send(client, #"{"tell":{"_0":[9],"to":"\#(hers)"}}"#, to: nobodys)
    try await send(client, #"{"tell":{"_0":[9],"to":"\#(shared)"}}"#, to: nobodys)
    await client.clock.advance(by: .seconds(1))
    #expect(try await state(client, hers, "ada").notes == [0, 7])
    #expect(try await state(client, shared, "bob").notes == [2, 8, 9])
    ringing.cancel()
    await client.clock.idle()
  }

  @Test func `has an idempotency key that no client can take`() async throws {
    let client = client()
    let (a, b) = (try await create(client), try await create(client))
    let path = "/sessions/\(b)/inputs"
    let forged: HTTPHeaders = ["Idempotency-Key": "\(a).i.9000000"]
    #expect(try await client.send(.post, path, #"{"note":1}"#, headers: forged).status == 200)
    try await send(client, #"{"tell":{"_0":[2],"to":"\#(b)"}}"#, to: a)
    #expect(try await state(client, b).notes == [1, 2])
  }
}
