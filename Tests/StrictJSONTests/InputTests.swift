import FusionStrictJSON
import Testing

struct `An Input` {
  static let read: [(String, Sample)] = [
    (#""increase""#, .increase), (#" "\u0069ncrease" "#, .increase),
    (#"{"increase":{}}"#, .increase),
    (#"{"setDuration":10}"#, .setDuration(10)), (#"{"setDuration":{"_0":10}}"#, .setDuration(10)),
    (#"{"labelled":{"title":"t"}}"#, .labelled(title: "t")),
    (#"{"several":{"done":true,"title":"t"}}"#, .several(title: "t", done: true)),
    (#"{"optional":"q"}"#, .optional("q")), (#"{"optional":null}"#, .optional(nil)),
    (#"{"optional":{}}"#, .optional(nil)), (#"{"optional":{"_0":null}}"#, .optional(nil)),
    (#"{"optional":{"_0":"q"}}"#, .optional("q")), (#""optional""#, .optional(nil)),
    (#"{"two":{"_0":1,"b":2}}"#, .two(1, b: 2)), (#"{"item":{"id":"a"}}"#, .item(Item(id: "a"))),
    (#"{"item":{"_0":{"id":"a","count":3}}}"#, .item(Item(id: "a", count: 3))),
    (#"{"tags":["a","b"]}"#, .tags(["a", "b"])), (#"{"tags":{"_0":[]}}"#, .tags([])),
    (#"{"color":"red"}"#, .color(.red)), (#"{"table":{"a":1}}"#, .table(["a": 1])),
    (#"{"table":{}}"#, .table([:])),
  ]

  @Test(arguments: read)
  func `is read in its full and its short form`(text: String, value: Sample) throws {
    #expect(try decodeInput(Sample.self, text) == value)
  }

  static let refused: [(String, JSONError.Kind, String?)] = [
    (#""nope""#, .unknownCase, nil), (#"{"nope":{}}"#, .unknownCase, nil),
    (#"{"increase":{},"nope":{}}"#, .unknownCase, nil), (#""""#, .unknownCase, nil),
    (#"{"increase":{},"setDuration":1}"#, .typeMismatch, nil), ("{}", .typeMismatch, nil),
    ("5", .typeMismatch, nil), ("null", .typeMismatch, nil), ("[]", .typeMismatch, nil),
    (#"["increase"]"#, .typeMismatch, nil), ("true", .typeMismatch, nil),
    (#"{"increase":5}"#, .typeMismatch, "increase"),
    (#"{"increase":null}"#, .typeMismatch, "increase"),
    (#"{"increase":[]}"#, .typeMismatch, "increase"),
    (#"{"increase":"increase"}"#, .typeMismatch, "increase"),
    (#"{"increase":{"x":1}}"#, .unknownMember, "x"),
    (#""setDuration""#, .missingMember, "setDuration"), (#""tags""#, .missingMember, "tags"),
    (#""item""#, .missingMember, "item"), (#""labelled""#, .missingMember, "title"),
    (#""table""#, .missingMember, "table"),
    (#"{"setDuration":{}}"#, .missingMember, "setDuration"),
    (#"{"setDuration":null}"#, .typeMismatch, "setDuration"),
    (#"{"setDuration":"x"}"#, .typeMismatch, "setDuration"),
    (#"{"setDuration":{"_0":"x"}}"#, .typeMismatch, "setDuration"),
    (#"{"setDuration":{"_0":1,"z":1}}"#, .unknownMember, "z"),
    (#"{"setDuration":1e99}"#, .numberOutOfRange, "setDuration"),
    (#"{"labelled":"t"}"#, .typeMismatch, "labelled"),
    (#"{"labelled":{"title":5}}"#, .typeMismatch, "title"),
    (#"{"several":{"title":"t"}}"#, .missingMember, "done"),
    (#"{"two":5}"#, .missingMember, "b"), (#"{"two":{"b":2}}"#, .missingMember, "two"),
    (#"{"item":{"id":5}}"#, .typeMismatch, "item.id"),
    (#"{"item":{"_0":{"id":5}}}"#, .typeMismatch, "item.id"),
    (#"{"item":{"id":"a","zz":3}}"#, .unknownMember, "item.zz"),
    (#"{"item":{}}"#, .missingMember, "item.id"), (#"{"tags":{}}"#, .missingMember, "tags"),
    (#"{"tags":["a",1]}"#, .typeMismatch, "tags.1"),
    (#"{"color":"blue"}"#, .typeMismatch, "color"),
    (#"{"table":{"a":null}}"#, .typeMismatch, "table.a"),
  ]

  @Test(arguments: refused)
  func `with a fault is reported with its member`(
    text: String,
    kind: JSONError.Kind,
    member: String?
  ) throws {
    let error = try #require(failure { () throws(JSONError) in try decodeInput(Sample.self, text) })
    #expect(error.kind == kind)
    #expect(error.member == member)
    #expect(error.kind != .syntax && error.line == nil && !error.reason.isEmpty)
  }

  @Test func `may be of a type that is not an enum with values`() throws {
    #expect(try decodeInput(Color.self, #""red""#) == .red)
    #expect(try decodeInput(Item.self, #"{"id":"a","count":2}"#) == Item(id: "a", count: 2))
    let error = failure { () throws(JSONError) in try decodeInput(Int.self, #""red""#) }
    #expect(error?.kind == .typeMismatch && error?.reason == "expected an integer, found 'red'")
  }

  @Test func `has short forms at every depth`() throws {
    #expect(try decode(Sample.self, #""increase""#) == .increase)
    #expect(try decodeInput([Sample].self, #"["increase"]"#) == [.increase])
  }

  @Test(arguments: read.map(\.1))
  func `is written in its short form, and can be read back`(value: Sample) throws {
    let bytes = try StrictJSON.encode(value)
    #expect(try StrictJSON.decode(Sample.self, from: bytes) == value)
    #expect(try JSONDocument(bytes).root.decodeInput(Sample.self) == value)
  }
}
