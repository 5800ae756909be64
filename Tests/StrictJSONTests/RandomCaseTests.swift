import FusionStrictJSON
import Testing

/// An enum that contains itself in every way, under names that also occur in the short forms.
private indirect enum Tree: Codable, Equatable {
  case leaf
  case one(Tree)
  case two(Tree, one: Tree?)
  case labelled(leaf: Tree)
  case maybe(Tree?)
  case table([String: Tree])
  case list([Tree])
  case box(Box)
  case text(String)

  struct Box: Codable, Equatable {
    var _0: Tree?
    var one: [Int: Tree] = [:]
  }

  private static let names = ["_0", "one", "leaf", "\"_0\":", "{\"_0\"", ""]

  static func random(_ depth: Int, _ numbers: inout some RandomNumberGenerator) -> Tree {
    guard depth > 0 else { return Bool.random(using: &numbers) ? .leaf : .text(names[0]) }
    func next() -> Tree { random(depth - Int.random(in: 1...2, using: &numbers), &numbers) }
    let isEmpty = Bool.random(using: &numbers)
    switch Int.random(in: 0..<8, using: &numbers) {
    case 0: return .one(next())
    case 1: return .two(next(), one: isEmpty ? nil : next())
    case 2: return .labelled(leaf: next())
    case 3: return .maybe(isEmpty ? nil : next())
    case 4:
      let count = Int.random(in: 0...2, using: &numbers)
      var table: [String: Tree] = [:]
      for _ in 0..<count { table[names.randomElement(using: &numbers) ?? ""] = next() }
      return .table(table)
    case 5: return .list(isEmpty ? [] : [next(), next()])
    case 6: return .box(Box(_0: isEmpty ? nil : next(), one: isEmpty ? [7: next()] : [:]))
    default: return .text(names.randomElement(using: &numbers) ?? "")
    }
  }
}

/// Alternates between two containers, so that the encoder needs a second pass.
private struct InTurns: Encodable {
  var trees: [Tree]
  enum Keys: CodingKey { case a, b }

  func encode(to encoder: any Encoder) throws {
    var object = encoder.container(keyedBy: Keys.self)
    var first = object.nestedUnkeyedContainer(forKey: .a)
    var second = object.nestedUnkeyedContainer(forKey: .b)
    for tree in trees {
      try first.encode(tree)
      try second.encode(tree)
    }
  }
}

struct `Random values of an enum` {
  @Test func `are read back unchanged after one pass and after two`() throws {
    var numbers = SystemRandomNumberGenerator()
    for _ in 0..<1_000 {
      let trees = (0..<3).map { _ in Tree.random(6, &numbers) }
      let text = try encoded(trees)
      #expect(try decode([Tree].self, text) == trees, "\(text)")
      #expect(try decodeInput([Tree].self, text) == trees, "\(text)")
      #expect(try encoded(InTurns(trees: trees)) == #"{"a":\#(text),"b":\#(text)}"#)
    }
  }
}
