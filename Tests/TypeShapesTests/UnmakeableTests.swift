import Foundation
import FusionStrictJSON
import Testing

@testable import FusionTypeShapes

struct `A type without a sample value` {
  private func schema(_ type: Any.Type, _ direction: SchemaWriter.Direction = .read) -> String {
    SchemaWriter.schema(TypeShape(of: type), direction).text
  }

  @Test(arguments: [SchemaWriter.Direction.read, .written])
  func `is open, and leaves the other members unchanged`(direction: SchemaWriter.Direction) {
    #expect(schema(Ticket.self) == "{}")
    let visit = schema(Visit.self, direction)
    #expect(
      visit.hasPrefix(
        #"{"type":"object","properties":{"name":{"type":"string"},"ticket":{},"#
          + #""seats":{"type":"array","items":\#(int)},"note":{"$ref":"#
      ),
      "\(visit)"
    )
    // The coding key differs from the property's name.
    #expect(visit.contains(#","line":{}}"#))
    #expect(
      visit.contains(#""filter":{"anyOf":[{"enum":["all","open","completed"]},{"type":"null"}]}"#)
    )
  }

  @Test func `can be omitted if it is optional, and the rest is required`() throws {
    let guest = TypeShape(of: Guest.self)
    #expect(schema(Guest.self).contains(#""properties":{"ticket":{},"age":\#(int)}"#))
    #expect(schema(Guest.self).contains(#""required":["age"]"#))
    #expect(guest.samples.first?.text == #"{"ticket":null,"age":1}"#)
  }

  @Test func `does not affect the cases without it`() {
    let inputs = TypeShape(of: Desk.self).inputs
    #expect(inputs.map(\.name) == ["open", "admit", "move", "follow", "wait"])
    let schemas = Dictionary(uniqueKeysWithValues: inputs.map { ($0.name, $0.schema.text) })
    #expect(
      schemas["admit"]?.contains(#"{"admit":{"type":"object","properties":{"_0":{}}"#) == true
    )
    #expect(
      schemas["move"]?.contains(#""properties":{"from":\#(int),"_1":{},"to":{}}"#) == true,
      "\(schemas["move"] ?? "")"
    )
    #expect(
      schemas["wait"]?.contains(#""properties":{"seconds":\#(int),"_1":{}},"required":["seconds"]"#)
        == true
    )
    #expect(inputs.map { $0.examples.isEmpty } == [false, true, true, false, false])
  }

  @Test func `may be recursive`() {
    let type = TypeShape(of: Chain.self)
    #expect(
      SchemaWriter.schema(type, .read).text.hasPrefix(
        ##"{"type":"object","properties":{"value":\##(int),"rest":{"anyOf":["##
          + ##"{"$ref":"#/$defs/Chain"},{"type":"null"}]}},"required":["value"]"##
      )
    )
    #expect(type.fits(["value": 1, "rest": ["value": 2, "rest": nil]]))
    #expect(!type.fits(["value": 1, "rest": ["value": "2", "rest": nil]]))
  }
}

struct `A type of Foundation` {
  @Test(arguments: [SchemaWriter.Direction.read, .written])
  func `has the same description for decoding and for encoding`(
    direction: SchemaWriter.Direction
  ) throws {
    let type = TypeShape(of: Bookmark.self)
    let schema = SchemaWriter.schema(type, direction).text
    #expect(
      schema.hasPrefix(
        #"{"type":"object","properties":{"title":{"type":"string"},"#
          + #""link":{"type":"string","format":"uri-reference"},"isRead":{"type":"boolean"},"#
          + #""added":{"type":"string","format":"date-time"},"length":{"anyOf":["#
          + #"{"type":"number","description":"Seconds."},{"type":"null"}]}},"required":"#
      ),
      "\(schema)"
    )
    let url = try #require(URL(string: "https://example.org/"))
    let bookmark = Bookmark(title: "a", link: url, isRead: true, added: .now, length: nil)
    #expect(try type.fits(JSONTree(encoding: bookmark)))
    #expect(!type.fits(["title": "a", "link": [:], "isRead": true, "added": "", "length": nil]))
  }

  @Test func `is decoded from an Input in the described form`() throws {
    let follow = try #require(TypeShape(of: Desk.self).inputs.first { $0.name == "follow" })
    #expect(
      follow.examples.map(\.text)
        == [#"{"follow":"https://example.org/"}"#, #"{"follow":{"_0":"https://example.org/"}}"#]
    )
    for example in follow.examples {
      _ = try JSONDocument(example.bytes).root.decodeInput(Desk.self)
    }
  }
}
