import Foundation
import FusionStrictJSON
import Testing
import UIFusionKit

@testable import FusionTypeShapes

/// The schema of an `Int`.
let int =
  #"{"type":"integer","minimum":-9223372036854775808,"maximum":9223372036854775807,"#
  + #""format":"int64","description":"Beyond 2^53 more than a JavaScript number holds."}"#

struct `The shape of a type` {
  private func schema(
    _ type: Any.Type,
    _ direction: SchemaWriter.Direction = .read
  ) -> String {
    SchemaWriter.schema(TypeShape(of: type), direction).text
  }

  @Test func `has an enum's cases in order of declaration`() {
    let names = ["title", "clear", "size", "tag", "two", "wish", "shape", "secret"]
    #expect(TypeShape(of: Everything.self).caseNames == names)
    #expect(TypeShape(of: Filter.self).caseNames == ["all", "open", "completed"])
    #expect(TypeShape(of: Int.self).caseNames == [])
  }

  @Test func `has a struct's members by their coding keys`() {
    #expect(TypeShape(of: Note.self).memberNames == ["body", "stars"])
    #expect(
      TypeShape(of: EverythingState.self).memberNames == [
        "message", "event", "password", "email", "filter", "level", "ids", "ticks", "root", "small",
        "isOn", "anything",
      ]
    )
  }

  @Test(
    arguments: [
      (Bool.self, #"{"type":"boolean"}"#),
      (UInt8.self, #"{"type":"integer","minimum":0,"maximum":255}"#),
      (
        Int.self,
        int
      ),
      (
        UInt128.self,
        #"{"type":"integer","minimum":0,"maximum":\#(UInt128.max),"format":"uint128","#
          + #""description":"Beyond 2^53 more than a JavaScript number holds."}"#
      ),
      (Int32.self, #"{"type":"integer","minimum":-2147483648,"maximum":2147483647}"#),
      (Date.self, #"{"type":"string","format":"date-time"}"#),
      (CalendarDay.self, #"{"type":"string","format":"date"}"#),
      (CalendarDay?.self, #"{"anyOf":[{"type":"string","format":"date"},{"type":"null"}]}"#),
      (
        [CalendarDay: Bool].self,
        #"{"type":"object","additionalProperties":{"type":"boolean"},"#
          + #""propertyNames":{"type":"string","format":"date"}}"#
      ),
      (URL.self, #"{"type":"string","format":"uri-reference"}"#),
      (UUID.self, #"{"type":"string","format":"uuid"}"#),
      (
        Decimal.self,
        #"{"type":"string","pattern":"^-?(0|[1-9][0-9]*)(\\.[0-9]+)?([eE][+-]?[0-9]+)?$"}"#
      ),
      (Data.self, #"{"type":"string","contentEncoding":"base64"}"#),
      (Duration.self, #"{"type":"number","description":"Seconds."}"#),
      (
        Redacted<Date?>.self, #"{"anyOf":[{"type":"string","format":"date-time"},{"type":"null"}]}"#
      ),
      (Double.self, #"{"type":"number"}"#),
      (String?.self, #"{"anyOf":[{"type":"string"},{"type":"null"}]}"#),
      (Never?.self, #"{"type":"null"}"#),
      ([String].self, #"{"type":"array","items":{"type":"string"}}"#),
      (Set<String>.self, #"{"type":"array","items":{"type":"string"}}"#),
      (
        [Place: Bool].self,
        #"{"type":"object","additionalProperties":{"type":"boolean"},"#
          + #""propertyNames":{"enum":["here","there"]}}"#
      ),
      (
        [Filter: Bool].self,
        #"{"type":"object","additionalProperties":{"type":"boolean"},"#
          + #""propertyNames":{"enum":["all","open","completed"]}}"#
      ),
      (
        [Level: Bool].self,
        #"{"type":"object","additionalProperties":{"type":"boolean"},"#
          + #""propertyNames":{"enum":["1","10"]}}"#
      ),
      (
        [Int: Bool].self,
        #"{"type":"object","additionalProperties":{"type":"boolean"},"#
          + #""propertyNames":{"pattern":"^(0|-?[1-9][0-9]*)$"}}"#
      ),
      (
        [UInt8: Bool].self,
        #"{"type":"object","additionalProperties":{"type":"boolean"},"#
          + #""propertyNames":{"pattern":"^(0|[1-9][0-9]*)$"}}"#
      ),
      (
        [UUID: Bool].self,
        #"{"type":"object","additionalProperties":{"type":"boolean"},"#
          + #""propertyNames":{"type":"string","format":"uuid"}}"#
      ),
      (
        [Identifier: Bool].self,
        #"{"type":"object","additionalProperties":{"type":"boolean"}}"#
      ),
      ([String: Bool].self, #"{"type":"object","additionalProperties":{"type":"boolean"}}"#),
      (Filter.self, #"{"enum":["all","open","completed"]}"#),
      (Level.self, #"{"enum":[1,10]}"#),
      (Single.self, #"{"enum":["only"]}"#),
      (Identifier.self, #"{"type":"string"}"#),
      (Secret<String>.self, #"{"type":"string","format":"password"}"#),
      (Redacted<[Bool]>.self, #"{"type":"array","items":{"type":"boolean"}}"#),
      (Pulse<Never?>.self, pulse(#"{"type":"null"}"#)),
      (
        Note.self,
        #"{"type":"object","properties":{"body":{"type":"string"},"stars":{"anyOf":["#
          + "\(int),"
          + #"{"type":"null"}]}},"required":["body"],"additionalProperties":false}"#
      ),
    ] as [(any Any.Type, String)]
  )
  func `is written as a JSON Schema`(type: Any.Type, expected: String) {
    #expect(schema(type) == expected)
  }

  @Test func `marks an Input that only the service may send`() {
    #expect(schema(PresenceChange.self).contains(#""additionalProperties":false,"readOnly":true"#))
    #expect(!schema(Visitor.self).contains("readOnly"))
  }

  private static func pulse(_ value: String) -> String {
    #"{"type":"object","properties":{"value":\#(value),"pulse":\#(int)},"#
      + #""required":["value","pulse"],"additionalProperties":false}"#
  }

  @Test func `refers to itself if the type is recursive`() {
    #expect(
      schema(Tree.self).hasPrefix(
        #"{"anyOf":[{"type":"object","properties":{"node":{"type":"object","properties":"#
          + ##"{"_0":{"$ref":"#/$defs/Tree"},"_1":{"$ref":"#/$defs/Tree"}},"required":["_0","_1"],"##
      )
    )
    let folder = schema(Folder.self)
    #expect(folder.contains(##""folders":{"type":"array","items":{"$ref":"#/$defs/Folder"}}"##))
    #expect(folder.contains(##"{"$ref":"#/$defs/Parent"}"##))
    #expect(folder.contains(##""folder":{"type":"array","items":{"$ref":"#/$defs/Folder"}}"##))
  }

  @Test(
    arguments: [
      Stubborn.self, Lenient.self, Figure.self, Tagged.self, Endless<Int>.self, Unreadable.self,
      Nothing.self, [Note: String].self, ClosedRange<Int>.self, Never.self, Void.self,
      AnyObject.self,
      Moody.self, Derived.self, Greedy.self, (any CodingKey).self,
      ((Int) -> Int).self,
    ] as [any Any.Type]
  )
  func `is open if the type's coding is unknown or not synthesised`(type: Any.Type) {
    #expect(schema(type) == "{}")
    #expect(schema([Stubborn].self) == #"{"type":"array","items":{}}"#)
  }

  @Test func `is known for a class, too`() {
    #expect(schema(Reference.self).hasPrefix(#"{"type":"object","properties":{"count":"#))
  }

  @Test func `covers encoding only if the type encodes as it decodes`() {
    #expect(schema(Upside.self).contains(#""up""#))
    #expect(schema(Upside.self, .written) == "{}")
    #expect(schema([Upside].self, .written) == #"{"type":"array","items":{}}"#)
  }

  @Test func `can be compared with an encoded value`() throws {
    let type = TypeShape(of: Grown.self)
    #expect(try type.fits(JSONTree(encoding: Grown(size: 7))))
    #expect(try !type.fits(JSONTree(encoding: Grown(size: 700))))
    #expect(
      !type.fits([:]) && !type.fits(["size": 1, "more": 2]) && !type.fits(["size": .number("1.5")])
    )
    let cases = TypeShape(of: Everything.self)
    #expect(cases.fits("clear") && cases.fits(["title": "a"]) && cases.fits(["wish": nil]))
    #expect(
      !cases.fits(["title": ["_0": "a"]]) && cases.fits(["size": ["width": 1, "height": nil]])
    )
    #expect(!cases.fits(["clear": [:]]))
    #expect(!cases.fits(["nope": [:]]) && !cases.fits("title") && !cases.fits(["title": 1]))
  }

  @Test func `for encoding requires all members, and may gain more`() {
    let state = schema(EverythingState.self, .written)
    #expect(state.contains(#""required":["message","event","password","email","#))
    #expect(state.contains(#""root","small","isOn","anything"]"#))
    #expect(state.contains(#""anything":{}"#))
    #expect(state.contains(#""uniqueItems":true"#))
    #expect(!state.contains("additionalProperties\":false"))
    #expect(state.contains(#""password":{"type":"string","format":"password"}"#))
  }
}

struct `The forms of an Input` {
  private let type = TypeShape(of: Everything.self)

  @Test func `are all decoded as the same Input`() throws {
    #expect(type.inputs.count == 8)
    for input in type.inputs {
      #expect(!input.examples.isEmpty)
      let read = try input.examples.map { form in
        try JSONDocument(form.bytes).root.decodeInput(Everything.self)
      }
      #expect(read.allSatisfy { $0 == read[0] })
    }
  }

  @Test func `are generated as JSON and as a schema`() {
    let forms = Dictionary(uniqueKeysWithValues: type.inputs.map { ($0.name, $0) })
    #expect(forms["clear"]?.examples.map(\.text) == [#""clear""#, #"{"clear":{}}"#])
    #expect(
      forms["title"]?.examples.map(\.text)
        == [#"{"title":"text"}"#, #"{"title":{"_0":"text"}}"#]
    )
    #expect(
      forms["secret"]?.examples.map(\.text)
        == [#"{"secret":"secret"}"#, #"{"secret":{"_0":"secret"}}"#]
    )
    #expect(forms["size"]?.examples.map(\.text) == [#"{"size":{"width":1.5,"height":1.5}}"#])
    #expect(
      forms["clear"]?.schema.text
        == #"{"anyOf":[{"const":"clear"},{"type":"object","properties":{"clear":{"type":"object","#
        + #""properties":{},"additionalProperties":false}},"required":["clear"],"#
        + #""additionalProperties":false}]}"#
    )
  }
}

struct `The cases of an enum` {
  private enum Alert: Codable {
    case none, info(String), error(code: Bool, String?), wish(String?)
    case table([String: Bool])
  }

  private struct Screen: Codable { var alert: Alert }

  private func form(_ name: String, _ value: String) -> String {
    #"{"type":"object","properties":{"\#(name)":\#(value)},"#
      + #""required":["\#(name)"],"additionalProperties":false}"#
  }

  private func values(_ members: String, _ required: String, isOpen: Bool) -> String {
    #"{"type":"object","properties":{\#(members)}"#
      + (required.isEmpty ? "" : #","required":[\#(required)]"#)
      + (isOpen ? "}" : #","additionalProperties":false}"#)
  }

  private let text = #"{"type":"string"}"#
  private let open = #"{"anyOf":[{"type":"string"},{"type":"null"}]}"#
  private let table = #"{"type":"object","additionalProperties":{"type":"boolean"}}"#

  @Test func `are described in their short form for encoding`() {
    let schema = SchemaWriter.schema(TypeShape(of: Screen.self), .written).text
    let forms = [
      #"{"const":"none"}"#, form("info", text),
      form(
        "error",
        values(#""code":{"type":"boolean"},"_1":\#(open)"#, #""code","_1""#, isOpen: true)
      ),
      form("wish", open), form("table", table),
      form("table", values(#""_0":\#(table)"#, #""_0""#, isOpen: true)),
    ]
    #expect(
      schema.hasSuffix(#""$defs":{"Alert":{"anyOf":[\#(forms.joined(separator: ","))]}}}"#),
      "\(schema)"
    )
  }

  @Test func `are described in all their forms for decoding`() {
    let schema = SchemaWriter.schema(TypeShape(of: Screen.self), .read).text
    let forms = [
      #"{"const":"none"}"#, form("none", values("", "", isOpen: false)),
      form("info", text), form("info", values(#""_0":\#(text)"#, #""_0""#, isOpen: false)),
      form(
        "error",
        values(#""code":{"type":"boolean"},"_1":\#(open)"#, #""code""#, isOpen: false)
      ),
      #"{"const":"wish"}"#, form("wish", open),
      form("wish", values(#""_0":\#(open)"#, "", isOpen: false)),
      form("table", table), form("table", values(#""_0":\#(table)"#, #""_0""#, isOpen: false)),
    ]
    #expect(
      schema.hasSuffix(#""$defs":{"Alert":{"anyOf":[\#(forms.joined(separator: ","))]}}}"#),
      "\(schema)"
    )
  }
}
