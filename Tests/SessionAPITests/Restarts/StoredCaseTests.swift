import FusionHTTPMessages
import FusionSessions
import FusionStoreDoubles
import Testing
import UIFusionKit
import UIFusionServer
import UIFusionTesting

/// The day of moods that was stored.
private struct Day: ViewModelProtocol {
  enum Mood: Codable, Equatable, Sendable {
    case unknown
    case glad(Note)
    case angry(since: Int)
  }

  struct Note: Codable, Equatable, Sendable { var text: String }

  struct State: Codable, Equatable, Sendable {
    var first = Mood.glad(Note(text: "morning"))
    var now = Mood.unknown
    var earlier: [Mood] = []
  }

  enum Input: Codable, Sendable { case feel(Mood) }
  typealias Action = Input
  var state = State()

  func transform(_ input: Input) -> [Input] { [input] }

  mutating func perform(_ action: Input) {
    guard case .feel(let mood) = action else { return }
    state.earlier.append(state.now)
    state.now = mood
  }
}

/// A ``Day`` whose cases have more values, and whose values have more members.
private struct FullerDay: ViewModelProtocol {
  enum Mood: Codable, Equatable, Sendable {
    case unknown
    case glad(Note)
    case angry(since: Int, at: [String])
  }

  struct Note: Codable, Equatable, Sendable {
    var text: String
    var isPinned = true
  }

  struct State: Codable, Equatable, Sendable {
    var first = Mood.glad(Note(text: "noon"))
    var now = Mood.unknown
    var earlier: [Mood] = []
  }

  typealias Input = String
  typealias Action = String
  var state = State()

  func transform(_ input: String) -> [String] { [] }
  mutating func perform(_ action: String) {}
}

struct `A stored case whose values lack a member` {
  private let client = Client(store: MemorySessionStore()) {
    $0.host("day", summary: "") { _ in Day() }
  }

  /// Returns a stored day as a ``FullerDay`` shows it.
  private func shown(after moods: String...) async throws -> Answer {
    let path = try await client.session("day")
    for mood in moods {
      let answer = try await client.send(.post, path + "/inputs", #"{"feel":\#(mood)}"#)
      #expect(answer.status == 200)
    }
    var catalog = ViewModelCatalog()
    catalog.host("day", summary: "") { _ in FullerDay() }
    return try await client.restarted(hosting: catalog.viewModels).send(.get, path)
  }

  @Test func `takes it from a fresh State with the same case`() async throws {
    let answer = try await shown()
    #expect(
      answer.text.contains(
        #""state":{"first":{"glad":{"text":"morning","isPinned":true}},"now":"unknown","earlier":[]}"#
      ),
      "\(answer.text)"
    )
  }

  @Test func `takes a neutral value in an element of a list`() async throws {
    let answer = try await shown(
      after: #"{"glad":{"text":"a"}}"#,
      #"{"angry":{"since":1}}"#,
      #""unknown""#
    )
    #expect(
      answer.text.contains(
        #""earlier":["unknown",{"glad":{"text":"a","isPinned":false}},"#
          + #"{"angry":{"since":1,"at":[]}}]"#
      ),
      "\(answer.text)"
    )
  }

  @Test func `takes a neutral value if a fresh State has another case`() async throws {
    let answer = try await shown(after: #"{"angry":{"since":1}}"#)
    #expect(answer.text.contains(#""now":{"angry":{"since":1,"at":[]}}"#), "\(answer.text)")
  }
}
