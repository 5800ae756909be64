import FusionHTTPMessages
import FusionSessions
import FusionStoreDoubles
import Testing
import UIFusionKit
import UIFusionServer
import UIFusionTesting

/// During a deployment: State that an older node cannot decode, or whose format it does not know.
struct `A session that a newer node has stored` {
  private let clock = TestClock()
  private let memory: SharedMemory

  init() {
    let clock = clock
    memory = SharedMemory { clock.now }
  }

  private func node<Model: ViewModelProtocol & Sendable>(
    _ name: String,
    hosts model: Model
  ) async -> NodeInProcess where Model.Input: Codable, Model.State: Codable {
    await NodeInProcess(
      name,
      memory,
      clock,
      hosting: { $0.host("tally", summary: "Adds up") { _ in model } }
    )
  }

  @Test(arguments: [true, false])
  func `is answered 503 by an older node, and is free for a newer node at once`(
    hasOtherFormat: Bool
  ) async throws {
    let newer =
      hasOtherFormat
      ? await node("newer", hosts: NewFormat()) : await node("newer", hosts: NewMembers())
    let older = await node("older", hosts: Old())
    let path = try await newer.create()
    let id = try unwrap(SessionID(String(path.dropFirst("/sessions/".count))))
    for target in [path, path + "/events"] {
      memory.free(id)
      let answer = try await older.send(.get, target)
      #expect(answer.status == 503 && answer.retryAfter == "1")
      #expect(answer.text.contains(#""type":"/problems/unreadable-session""#))
      #expect(answer.text.contains("another node may"))
    }
    #expect(older.host.directory.count == 0)
    // A node that forwarded the request looks again, and may take the session.
    #expect(try await older.send(.get, path, fromNode: true).status == 421)
    let other =
      hasOtherFormat
      ? await node("other", hosts: NewFormat()) : await node("other", hosts: NewMembers())
    #expect(try await other.send(.get, path).status == 200)
    _ = try await older.send(.get, path)
    #expect(older.others.asked.count == 1)
  }
}

private struct Old: ViewModelProtocol {
  enum Input: Codable, Sendable { case none }
  typealias Action = Input
  struct State: Codable, Equatable, Sendable { var filter = 1 }

  var state = State()

  func transform(_ input: Input) -> [Action] { [] }
  mutating func perform(_ action: Action) {}
}

private struct NewMembers: ViewModelProtocol {
  enum Input: Codable, Sendable { case none }
  typealias Action = Input
  struct State: Codable, Equatable, Sendable { var filter = "brand new" }

  var state = State()

  func transform(_ input: Input) -> [Action] { [] }
  mutating func perform(_ action: Action) {}
}

private struct NewFormat: ViewModelProtocol {
  enum Input: Codable, Sendable { case none }
  typealias Action = Input
  struct State: Codable, Equatable, Sendable { var filter = 1 }

  static let stateFormat = 2

  var state = State()

  func transform(_ input: Input) -> [Action] { [] }
  mutating func perform(_ action: Action) {}
}
