import FusionHTTPMessages
import FusionSessions
import FusionStoreDoubles
import Testing
import UIFusionKit
import UIFusionServer
import UIFusionTesting

/// Work of a killed process that is reported to the view model in later processes.
struct `Work that was interrupted twice` {
  /// A view model that rings ten seconds after it was set; its State does not change in between.
  struct Alarm: ReducerViewModel {
    enum Input: Codable, Sendable { case set(Secret<String>) }
    enum Action: Sendable { case set(Secret<String>), wait, ring }
    enum EffectName { case alarm }
    struct State: Codable, Equatable, Sendable {
      var isSet = false
      var hasRung = false
      @Secret var code = ""
    }

    var state = State()

    func restored(_ interrupted: Interrupted) -> [Action] {
      interrupted.contains(EffectName.alarm) ? [.wait] : []
    }

    func transform(_ input: Input) -> [Action] {
      switch input {
      case .set(let code): [.set(code)]
      }
    }

    func reduce(state: inout State, action: Action) -> [AsyncEffect<Action>] {
      switch action {
      case .set(let code):
        state.isSet = true
        state.code = code.wrappedValue
        return reduce(state: &state, action: .wait)
      case .wait:
        return [.sleepThen(id: EffectName.alarm, for: .seconds(10), action: .ring)]
      case .ring:
        state.hasRung = true
        return []
      }
    }
  }

  private func alarm(_ code: String) async throws -> (client: Client, path: String) {
    let client = Client(store: MemorySessionStore()) { catalog in
      catalog.host("alarm", summary: "") { _ in Alarm() }
    }
    let path = try await client.session("alarm")
    try await client.send(.post, path + "/inputs", #"{"set":"\#(code)"}"#)
    return (client, path)
  }

  private func hasRung(_ client: Client, _ path: String) async throws -> Bool {
    await client.clock.advance(by: .seconds(10))
    return try await client.send(.get, path).text.contains(#""hasRung":true"#)
  }

  @Test(arguments: ["", "1234"])
  func `is reported in every later process`(code: String) async throws {
    var (client, path) = try await alarm(code)
    for _ in 0..<3 {
      client = try await client.restarted()
      try await client.send(.get, path)
    }
    #expect(try await hasRung(client, path))
  }

  @Test(arguments: ["", "1234"])
  func `is reported even if State was stored in whole in between`(code: String) async throws {
    var (client, path) = try await alarm(code)
    client = try await client.restarted()
    try await client.send(.get, path)
    client.host.expirer.expire()
    client = try await client.restarted()
    try await client.send(.get, path)
    #expect(try await hasRung(client, path))
  }

  @Test func `is reported even if an answer was stored in between`() async throws {
    var (client, path) = try await alarm("")
    client = try await client.restarted()
    try await client.send(
      .post,
      path + "/inputs",
      "[]",
      headers: ["Idempotency-Key": "K"]
    )
    client = try await client.restarted()
    try await client.send(.get, path)
    #expect(try await hasRung(client, path))
  }

  @Test func `is not reported once it has ended`() async throws {
    var (client, path) = try await alarm("")
    #expect(try await hasRung(client, path))
    client = try await client.restarted()
    try await client.send(.get, path)
    #expect(client.clock.sleepers == 0)
  }
}
