import Foundation
import Testing
import UIFusionKit
import UIFusionTesting

private let composed = "\u{E9}"
private let decomposed = "e\u{301}"

/// A value with parts of many kinds.
private struct Parts: Equatable, Sendable {
  struct Inner: Equatable, Sendable {
    var text = "x"
    var number = 1.0
    var isOn = false
  }
  enum Kind: Hashable, Sendable {
    case none, named(String), both(String, Int)
  }
  /// Equal to any other.
  struct Ignored: Equatable, Sendable {
    var text = "x"
    static func == (a: Ignored, b: Ignored) -> Bool { true }
  }

  var isOn = true
  var count = 1
  var text = composed
  var half: Float = 0
  var inner = Inner()
  var list = [Inner(), Inner()]
  var names: [String: [String]] = ["a": ["b", composed]]
  var keys: [String: Int] = [composed: 1, "b": 2]
  var set: Set<String> = [composed, "b"]
  var kinds: Set<Kind> = [.none, .both("a", 2)]
  var kind = Kind.named(composed)
  var note: String? = composed
  var letter: Character = "\u{E9}"
  @Private var hidden = composed
  @Redacted var secret = composed
  var ignored = Ignored()
  var date = Date(timeIntervalSince1970: 0)
}

struct `Two equal values` {
  private let changes: [(String, (inout Parts) -> Void)] = [
    ("text", { $0.text = decomposed }), ("half", { $0.half = -0.0 }),
    ("list", { $0.list[1].text = "x" }), ("names", { $0.names["a"] = ["b", decomposed] }),
    ("keys", { $0.keys = [decomposed: 1, "b": 2] }), ("set", { $0.set = [decomposed, "b"] }),
    ("kind", { $0.kind = .named(decomposed) }), ("note", { $0.note = decomposed }),
    ("letter", { $0.letter = "e\u{301}" }), ("hidden", { $0.hidden = decomposed }),
    ("secret", { $0.secret = decomposed }),
  ]

  @Test func `differ if a part is written differently, however deep`() {
    for (name, change) in changes where name != "list" {
      var other = Parts()
      change(&other)
      #expect(other == Parts(), "\(name)")
      #expect(PartComparison.areSame(Parts(), other) == false, "\(name)")
      #expect(PartComparison.differ([[Parts()]], [[other]]), "\(name)")
      #expect(PartComparison.areSame(other, other) == true, "\(name)")
    }
  }

  @Test func `are the same if they were made anew`() {
    var other = Parts()
    other.list = other.list.map { $0 }
    other.names = Dictionary(uniqueKeysWithValues: other.names.map { ($0, $1 + []) })
    other.keys = [:]
    for key in ["b", composed] { other.keys[key] = Parts().keys[key] }
    other.set = Set(Array(other.set).reversed())
    #expect(PartComparison.differ(Parts(), other) == false)
  }

  @Test func `have parts that are unknown if == leaves them out`() {
    var other = Parts()
    other.ignored.text = "y"
    #expect(PartComparison.areSame(Parts(), other) == nil)
    #expect(!PartComparison.differ(Parts(), other))
  }

  /// An object that is equal to any other, and may hold itself.
  private final class Node: Equatable, @unchecked Sendable {
    // Guard: one test uses it.
    var next: [Node] = []
    var text = composed
    static func == (a: Node, b: Node) -> Bool { true }
  }

  @Test func `may be cycles of objects`() {
    let (one, other) = (Node(), Node())
    for node in [one, other] { node.next = [node, one, other, node] }
    #expect(PartComparison.areSame(one, other) == true)
    other.text = decomposed
    #expect(PartComparison.areSame(one, other) == false)
  }
}

/// Sets its text as it is told.
private struct Copier: ViewModelProtocol {
  struct State: Equatable, Sendable {
    var text = composed
    var isOn = false
    var number = 0.0
    var words = ["a"]
  }
  enum Input: Equatable, Sendable { case text(String), number(Double), words([String]), nothing }

  var state = State()

  func transform(_ input: Input) -> [Input] { [input] }
  mutating func perform(_ action: Input) {
    switch action {
    case .text(let text): state.text = text
    case .number(let number): state.number = number
    case .words(let words): state.words = words
    case .nothing: state.isOn = state.text.isEmpty
    }
  }
}

struct `A store in process` {
  @Test func `publishes a State that is equal to the one before, and written differently`() async {
    let recorder = Recorder { _ in Copier() }
    recorder.send(.text(decomposed))
    recorder.send(.text(decomposed), .nothing, .words(["a"].map { $0 + "" }))
    recorder.send(.number(-0.0))
    await recorder.clock.idle()
    #expect(recorder.versions == [1, 2, 3])
    #expect(recorder.states.last?.text.utf8.count == 3)
    #expect(recorder.states.last?.number.sign == .minus)
  }

  @Test func `tells the observers of a member`() async {
    let clock = TestClock()
    let store = Store(clock.dependencies) { _ in Copier() }
    let seen = Seen()
    let observation = store.observe(\.text) { seen.add($0) }
    store.send(.text(decomposed))
    store.send(.text(decomposed))
    await clock.idle()
    #expect(seen.texts.map(\.utf8.count) == [2, 3])
    observation.stop()
  }

  private final class Seen: @unchecked Sendable {
    // Guard: the store calls one at a time, and the test reads when all is quiet.
    var texts: [String] = []
    func add(_ text: String) { texts.append(text) }
  }
}
