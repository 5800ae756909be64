import FusionStrictJSON
import FusionTypeShapes
import Testing
import UIFusionKit

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

  /// Writes other members than it reads.
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

struct `The schema of what clients see` {
  private let written = SchemaWriter.schema(TypeShape(of: Board.self), .written)

  @Test func `has derived members, and no private ones`() {
    #expect(written["required"] == ["cards", "isEmpty"])
    #expect(written["properties"]?["isEmpty"] == ["type": "boolean"])
    let card = written["$defs"]?["Card"]
    #expect(card?["required"] == ["title", "length"])
    #expect(card?["properties"]?["author"] == nil)
    #expect(TypeShape(of: Board.self).memberNames == ["cards", "isEmpty"])
  }

  @Test func `describes what is written`() throws {
    let board = Board(cards: [Board.Card(title: "tea")])
    let text = try JSONTree(encoding: board, for: .clients)
    #expect(text.members.map(\.name) == ["cards", "isEmpty"])
  }

  @Test func `leaves open what derived members say nothing of`() {
    #expect(SchemaWriter.schema(TypeShape(of: Opaque.self), .written) == [:])
  }

  @Test func `of what is read has the private members alone`() {
    let read = SchemaWriter.schema(TypeShape(of: Board.self), .read)
    #expect(read["required"] == ["cards", "key"])
    #expect(read["properties"]?["isEmpty"] == nil)
  }

  @Test func `does not hinder a neutral value of a private member`() {
    #expect(TypeShape(of: Board.self).neutral(at: ["key"]) == 0)
    #expect(TypeShape(of: Board.self).neutral(at: ["cards", "0", "author"]) == .null)
  }
}
