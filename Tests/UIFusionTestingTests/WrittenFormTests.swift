import Synchronization
import Testing
import UIFusionKit

@testable import UIFusionTesting

private final class Texts: Sendable {
  private let all = Mutex<[String]>([])
  var list: [String] { all.withLock { $0 } }
  func add(_ text: String) { all.withLock { $0.append(text) } }
}

/// Keeps a text, and a graph of objects.
private struct Keeper: ViewModelProtocol {
  /// An object that may refer to itself.
  final class Node: Codable, Equatable, @unchecked Sendable {
    // Guard: one test uses it.
    let name: String
    var next: Node?
    var others: [Node] = []

    init(_ name: String) { self.name = name }

    static func == (a: Node, b: Node) -> Bool { a.name == b.name }

    /// A ring of objects, each of which refers to the next, to itself and to the first.
    static func ring(_ names: String...) -> Node {
      let nodes = names.map(Node.init)
      for (index, node) in nodes.enumerated() {
        node.next = nodes[(index + 1) % nodes.count]
        node.others = [node, nodes[0]]
      }
      return nodes[0]
    }
  }
  struct State: Codable, Equatable, Sendable {
    var text = ""
    var node: Node?
    var kind = Kind.none
  }
  enum Kind: Codable, Equatable, Sendable { case none, some(Node) }
  enum Input: Sendable { case text(String), node(Node), kind(Node) }

  var state = State()

  func transform(_ input: Input) -> [Input] { [input] }
  mutating func perform(_ action: Input) {
    switch action {
    case .text(let text): state.text = text
    case .node(let node): state.node = node
    case .kind(let node): state.kind = .some(node)
    }
  }
}

struct `A test store with values that are hard to print` {
  private let texts = Texts()
  private func store() -> AsyncTestStore<Keeper> {
    AsyncTestStore(issues: IssueReporter { [texts] text, _ in texts.add(text) }) { _ in Keeper() }
  }

  @Test func `tells texts of the same characters in other scalars apart`() async {
    let store = store()
    await store.send(.text("e\u{301}")) { $0.text = "\u{E9}" }
    #expect(
      texts.list == [
        """
        State is not as expected after sending text("é").
          text: expected "\\u{00E9}", is "e\\u{0301}"
        (Correct the closure: it must change the State of before into the one after.)
        """
      ]
    )
    await store.send(.text("\u{E9}")) { $0.text = "\u{E9}" }
    #expect(texts.list.count == 1)
    await store.finish()
    #expect(texts.list.count == 1)
  }

  @Test func `prints a cycle of objects once`() async throws {
    let store = store()
    await store.send(.node(.ring("a", "b", "c"))) { $0.node = .ring("z") }
    await store.send(.kind(.ring("d", "e")))
    let text = try #require(texts.list.first)
    #expect(text.contains(#"node.name: expected "z", is "a""#))
    #expect(text.contains("node.next.next.next: expected nothing, is the same object as node"))
    #expect(texts.list.count == 2)
    await store.finish()
  }

  @Test func `prints a mirror that contains itself to some depth`() {
    struct Endless: Equatable, CustomReflectable {
      var number = 0
      var customMirror: Mirror {
        Mirror(self, children: ["number": number, "again": self], displayStyle: .struct)
      }
    }
    let difference = StateDifference(from: Endless(), to: Endless(number: 1))
    #expect(difference.members.first?.path == "number")
    #expect(difference.members.count < 100)
  }
}
