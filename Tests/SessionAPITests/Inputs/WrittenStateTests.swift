import FusionHTTPMessages
import FusionSessions
import FusionStoreDoubles
import FusionStrictJSON
import Testing
import UIFusionKit
import UIFusionServer

/// A view model whose State is equal to others that are written differently.
private struct Writing: ViewModelProtocol {
  struct State: Codable, Equatable, Sendable {
    var text = "\u{E9}"
    var number = 0.0
    var names: [String: Int] = ["\u{E9}": 1]
    @Private var hidden = "\u{E9}"
    /// Left out of `==`, but stored.
    var visits = 0
    /// In `==`, but neither stored nor sent.
    var passing = 0

    private enum CodingKeys: CodingKey { case text, number, names, hidden, visits }

    static func == (a: State, b: State) -> Bool {
      a.text == b.text && a.number == b.number && a.names == b.names && a.hidden == b.hidden
        && a.passing == b.passing
    }
  }
  enum Input: Codable, Sendable {
    case text(String), number(Double), name(String), hide(String), visit, nothing
  }
  typealias Action = Input

  var state = State()

  func transform(_ input: Input) -> [Input] { [input] }
  mutating func perform(_ action: Input) {
    switch action {
    case .text(let text): state.text = text
    case .number(let number): state.number = number
    case .name(let name): state.names = [name: 1]
    case .hide(let text): state.hidden = text
    case .visit: state.visits += 1
    case .nothing: state.names = state.names.mapValues { $0 }
    }
  }
}

struct `A State that is equal to the one before` {
  private let store = MemorySessionStore()

  private func client() -> Client {
    Client(store: store) { $0.host("writing", summary: "") { _ in Writing() } }
  }

  @Test(arguments: [
    (#"{"text":"e\u0301"}"#, "\"text\":\"e\u{301}\""), (#"{"number":-0.0}"#, #""number":-0"#),
    (#"{"name":"e\u0301"}"#, "\"names\":{\"e\u{301}\":1}"), (#""visit""#, #""visits":1"#),
  ])
  func `is stored as a new version if it is written differently`(
    input: String,
    text: String
  ) async throws {
    let client = client()
    let created = try await client.send(.post, "/sessions", #"{"viewModel":"writing"}"#)
    let path = try #require(created["Location"])
    let answer = try await client.send(.post, path + "/inputs", input)
    #expect(try answer.json()["version"]?.decode(Int.self) == 2)
    #expect(answer.text.utf8.contains(text))
    let next = try await client.restarted()
    let stored = try await next.send(.get, path)
    #expect(stored.text.utf8.contains(text))
    #expect(stored["ETag"] == "\"2\"")
  }

  @Test func `is stored if a member that is not sent is written differently`() async throws {
    let client = client()
    let created = try await client.send(.post, "/sessions", #"{"viewModel":"writing"}"#)
    let path = try #require(created["Location"])
    let answer = try await client.send(.post, path + "/inputs", #"{"hide":"e\u0301"}"#)
    #expect(try answer.json()["version"]?.decode(Int.self) == 2)
  }

  @Test func `is not a new version if it is written alike`() async throws {
    let client = client()
    let created = try await client.send(.post, "/sessions", #"{"viewModel":"writing"}"#)
    let path = try #require(created["Location"])
    for input in [#""nothing""#, #"{"text":"é"}"#, #"{"number":0}"#, #"{"name":"é"}"#] {
      let answer = try await client.send(.post, path + "/inputs", input)
      #expect(try answer.json()["version"]?.decode(Int.self) == 1, "\(input)")
    }
  }
}

extension String.UTF8View {
  fileprivate func contains(_ text: String) -> Bool {
    let text = Array(text.utf8)
    let all = Array(self)
    return all.indices.contains { all[$0...].starts(with: text) }
  }
}
