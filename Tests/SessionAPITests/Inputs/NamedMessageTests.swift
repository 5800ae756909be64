import FusionHTTPMessages
import FusionSessionAPI
import FusionSessions
import FusionStoreDoubles
import FusionStrictJSON
import Testing
import UIFusionKit
import UIFusionServer
import UIFusionTesting

/// Sessions in one process.
struct `A message to a name` {
  private let store = MemorySessionStore()

  private func client() -> Client {
    let client = Client(store: store) { $0.host("ledger", summary: "") { _ in Ledger() } }
    client.api.connectSessions()
    return client
  }

  private func create(_ client: Client, name: String, shared isShared: Bool) async throws -> String
  {
    let scope = isShared ? #","scope":"shared""# : ""
    let body = #"{"viewModel":"ledger","name":"\#(name)"\#(scope)}"#
    let answer = try await client.send(.post, "/sessions", body)
    return String(try #require(answer["Location"]).dropFirst("/sessions/".count))
  }

  private func send(_ client: Client, _ input: String, to id: String) async throws {
    #expect(try await client.send(.post, "/sessions/\(id)/inputs", input).status == 200)
    await client.clock.idle()
  }

  private func state(_ client: Client, _ id: String) async throws -> Ledger.State {
    let answer = try await client.send(.get, "/sessions/\(id)")
    return try #require(answer.json()["state"]).decode(Ledger.State.self)
  }

  private func waiting(_ id: String) -> Int {
    SessionID(id).flatMap { store.stored($0) }?.alarms.count { $0.isMessage } ?? -1
  }

  @Test(arguments: [true, false])
  func `waits for the next session that has it`(isShared: Bool) async throws {
    let client = client()
    let a = try await create(client, name: "a", shared: false)
    let told = #"{"tellNamed":{"_0":[1,2],"name":"x","shared":\#(isShared)}}"#
    try await send(client, told, to: a)
    await client.clock.advance(by: .seconds(3_600))
    #expect(try await state(client, a).refused == [] && waiting(a) == 2)
    let x = try await create(client, name: "x", shared: isShared)
    await client.clock.advance(by: .seconds(10))
    #expect(try await state(client, x).notes == [1, 2])
    #expect(waiting(a) == 0)
    // And again, once that one has ended; over a restart, too.
    #expect(try await client.send(.delete, "/sessions/\(x)").status == 204)
    try await send(client, told, to: a)
    let later = try await client.restarted()
    later.api.connectSessions()
    let ringing = Task(executorPreference: later.clock.executor) { [host = later.host] in
      try await host.alarmWaker.run()
    }
    await later.clock.advance(by: .seconds(60))
    #expect(waiting(a) == 2)
    let y = try await create(later, name: "x", shared: isShared)
    await later.clock.advance(by: .seconds(60))
    #expect(try await state(later, y).notes == [1, 2])
    #expect(try await state(later, a).refused == [] && waiting(a) == 0)
    ringing.cancel()
    await later.clock.idle()
  }

  @Test func `of a view model that is not hosted comes back`() async throws {
    let client = client()
    let a = try await create(client, name: "a", shared: false)
    let ringing = Task(executorPreference: client.clock.executor) { [host = client.host] in
      try await host.alarmWaker.run()
    }
    try await send(client, #"{"tellOther":{"_0":1,"name":"x"}}"#, to: a)
    await client.clock.advance(by: .seconds(1))
    #expect(try await state(client, a).refused == [1])
    ringing.cancel()
    await client.clock.idle()
  }
}
