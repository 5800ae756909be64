import FusionHTTPMessages
import FusionSessions
import FusionStoreDoubles
import Testing
import UIFusionKit
import UIFusionServer
import UIFusionTesting

/// A view model that sets as many alarms as an Input says.
private struct Alarmed: ReducerViewModel {
  enum Input: Codable, Sendable { case set(count: Int) }
  enum Action: Codable, Sendable { case set(count: Int), ring(Int) }
  struct State: Codable, Equatable, Sendable { var count = 0 }

  var state = State()

  func transform(_ input: Input) -> [Action] {
    switch input {
    case .set(let count): [.set(count: count)]
    }
  }

  func reduce(state: inout State, action: Action) -> [AsyncEffect<Action>] {
    guard case .set(let count) = action else { return [] }
    state.count = count
    return (0..<count).map { .alarm(id: $0, after: .seconds(60), .ring($0)) }
  }
}

struct `An Input that sets alarms` {
  private let store = MemorySessionStore()

  @Test func `is answered once its alarms are stored in JSON`() async throws {
    let client = client()
    let path = try await client.session("alarmed")
    let answer = try await client.send(.post, path + "/inputs", #"{"set":{"count":1000}}"#)
    #expect(answer.text.contains(#""count":1000}"#))
    #expect(answer.text.contains(#""settled":true"#))
    let alarms = try stored(path)
    #expect(alarms.count == 1_000)
    #expect(alarms.first.map { String(decoding: $0.action, as: UTF8.self) } == #"{"ring":0}"#)
  }

  @Test func `is refused if they would be too many, and nothing of it is applied`() async throws {
    let client = client()
    let path = try await client.session("alarmed")
    #expect(try await client.send(.post, path + "/inputs", #"{"set":{"count":1}}"#).status == 200)
    let refused = try await client.send(.post, path + "/inputs", #"{"set":{"count":1001}}"#)
    #expect(refused.status == 422)
    #expect(try refused.member("type") == "/problems/too-many-alarms")
    #expect(try await client.send(.get, path).text.contains(#""version":2,"state":{"count":1}"#))
    #expect(try stored(path).count == 1)
  }

  private func client() -> Client {
    Client(store: store) { $0.host("alarmed", summary: "") { _ in Alarmed() } }
  }

  private func stored(_ path: String) throws -> [StoredAlarm] {
    let id = try #require(SessionID(String(path.dropFirst("/sessions/".count))))
    return try #require(store.stored(id)).alarms
  }
}
