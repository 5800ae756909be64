import FusionStrictJSON
import FusionTypeShapes
import Testing
import UIFusionKit

private struct Drawn: Codable {
  @Private var frame = Frame(name: "a", width: 1, label: "b")

  struct Frame: Codable {
    var name: String
    var width: Int
    var label: String?
  }
}

private struct Board: Codable, MemberDeriving {
  var cards: [Card] = []
  @Private var key = 0

  struct Derived: Codable { var isEmpty: Bool }
  var derived: Derived { Derived(isEmpty: cards.isEmpty) }

  struct Card: Codable, MemberDeriving {
    var title: String
    @Private var author: String?

    struct Derived: Codable { var length: Int }
    var derived: Derived { Derived(length: title.count) }
  }
}

private struct Opaque: Codable, MemberDeriving {
  var title = ""
  var derived: Derived { Derived() }

  /// Encodes other members than it decodes.
  struct Derived: Codable {
    enum CodingKeys: CodingKey { case text }
    init() {}
    init(from decoder: any Decoder) throws {}
    func encode(to encoder: any Encoder) throws {
      var object = encoder.container(keyedBy: CodingKeys.self)
      try object.encode("", forKey: .text)
    }
  }
}

/// Has private values inside other types.
private struct Drawer: Codable {
  var title = ""
  var lists: [[Private<Int>]] = []
  var note: Private<String>?
  var wrapped = Wrapper()
  var last = Choice.kept(Private(1))

  /// Encodes itself as its only value.
  struct Wrapper: Codable {
    var value = Private(1)
    init() {}
    init(from decoder: any Decoder) throws {
      value = try decoder.singleValueContainer().decode(Private<Int>.self)
    }
    func encode(to encoder: any Encoder) throws { try value.encode(to: encoder) }
  }

  enum Choice: Codable { case kept(Private<Int>), both(Int, Private<Int>) }
}

private enum Move: Codable { case step(Private<Int>) }

struct `The schema of what clients see` {
  private let written = SchemaWriter.schema(TypeShape(of: Board.self), .written)

  @Test func `has derived members, but no private ones`() {
    #expect(written["required"] == ["cards", "isEmpty"])
    #expect(written["properties"]?["isEmpty"] == ["type": "boolean"])
    let card = written["$defs"]?["Card"]
    #expect(card?["required"] == ["title", "length"])
    #expect(card?["properties"]?["author"] == nil)
    #expect(TypeShape(of: Board.self).memberNames == ["cards", "isEmpty"])
  }

  @Test func `matches the encoded value`() throws {
    let board = Board(cards: [Board.Card(title: "tea")])
    let text = try JSONTree(encoding: board, for: .clients)
    #expect(text.members.map(\.name) == ["cards", "isEmpty"])
  }

  @Test func `is open if the derived members are unknown`() {
    #expect(SchemaWriter.schema(TypeShape(of: Opaque.self), .written) == [:])
  }

  @Test func `has no private values in lists, optionals, wrappers and cases`() throws {
    let written = SchemaWriter.schema(TypeShape(of: Drawer.self), .written)
    let text = try JSONTree(encoding: Drawer(), for: .clients)
    #expect(text == ["title": "", "last": "kept"])
    #expect(written["required"] == ["title", "last"])
    #expect(written["properties"]?.members.map(\.name) == ["title", "last"])
    guard case .array(let cases)? = written["$defs"]?["Choice"]?["anyOf"] else {
      Issue.record("no cases")
      return
    }
    #expect(cases.count == 2 && cases[0] == ["const": "kept"])
    let both = try JSONTree(encoding: Drawer.Choice.both(1, Private(2)), for: .clients)
    #expect(both == ["both": 1])
    #expect(cases[1]["properties"]?["both"]?["type"] == "integer")
  }

  @Test func `keeps private values for decoding, and in its examples`() {
    let read = SchemaWriter.schema(TypeShape(of: Drawer.self), .read)
    #expect(read["required"] == ["title", "lists", "wrapped", "last"])
    #expect(TypeShape(of: Move.self).inputs.first?.examples.first == ["step": 1])
  }

  @Test func `has only stored members for decoding`() {
    let read = SchemaWriter.schema(TypeShape(of: Board.self), .read)
    #expect(read["required"] == ["cards", "key"])
    #expect(read["properties"]?["isEmpty"] == nil)
  }

  @Test func `allows a neutral value for a private member`() {
    #expect(TypeShape(of: Board.self).neutral(at: ["key"]) == 0)
    #expect(TypeShape(of: Board.self).neutral(at: ["cards", "0", "author"]) == .null)
    #expect(
      TypeShape(of: Drawn.self).neutral(at: ["frame"])
        == .object([.init("name", ""), .init("width", 0), .init("label", .null)])
    )
  }
}
