import Foundation
import FusionStrictJSON
import Testing

@testable import FusionTypeShapes

struct `A type of which no value can be made` {
  private func schema(_ type: Any.Type, _ direction: SchemaWriter.Direction = .read) -> String {
    SchemaWriter.schema(TypeShape(of: type), direction).text
  }

  private let int =
    #"{"type":"integer","minimum":-9223372036854775808,"maximum":9223372036854775807}"#

  @Test(arguments: [SchemaWriter.Direction.read, .written])
  func `is open, and leaves the other members as they are`(direction: SchemaWriter.Direction) {
    #expect(schema(Ticket.self) == "{}")
    let visit = schema(Visit.self, direction)
    #expect(
      visit.hasPrefix(
        #"{"type":"object","properties":{"name":{"type":"string"},"ticket":{},"#
          + #""seats":{"type":"array","items":\#(int)},"note":{"$ref":"#
      ),
      "\(visit)"
    )
    // It is coded under another name than its own.
    #expect(visit.contains(#","line":{}}"#))
    #expect(
      visit.contains(#""filter":{"anyOf":[{"enum":["all","open","completed"]},{"type":"null"}]}"#)
    )
  }

  @Test func `can be left out where it is optional, and the rest is asked for`() throws {
    let guest = TypeShape(of: Guest.self)
    #expect(schema(Guest.self).contains(#""properties":{"ticket":{},"age":\#(int)}"#))
    #expect(schema(Guest.self).contains(#""required":["age"]"#))
    #expect(guest.samples.first?.text == #"{"ticket":null,"age":1}"#)
  }

  @Test func `leaves the cases that do not hold it as they are`() {
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

  @Test func `may be one that holds itself`() {
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

struct `A URL` {
  @Test func `is described where it is read, and open where it is written`() throws {
    let type = TypeShape(of: Bookmark.self)
    #expect(SchemaWriter.schema(type, .read).text.contains(#""link":{"$ref":"#))
    #expect(
      SchemaWriter.schema(type, .written).text
        == #"{"type":"object","properties":{"title":{"type":"string"},"link":{},"#
        + #""isRead":{"type":"boolean"}},"required":["title","link","isRead"]}"#
    )
    let url = try #require(URL(string: "https://example.org/"))
    let bookmark = Bookmark(title: "a", link: url, isRead: true)
    #expect(try type.fits(JSONTree(encoding: bookmark)))
    #expect(!type.fits(["title": "a", "link": [:]]))
  }

  @Test func `in an Input is understood as it is described`() throws {
    let follow = try #require(TypeShape(of: Desk.self).inputs.first { $0.name == "follow" })
    for example in follow.examples {
      _ = try StrictJSON.decodeInput(Desk.self, from: example.bytes)
    }
  }
}
