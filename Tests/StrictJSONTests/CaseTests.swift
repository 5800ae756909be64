import Foundation
import FusionStrictJSON
import Testing

/// An enum with cases of every shape, which may contain further values of the enum.
private indirect enum Alert: Codable, Equatable, Sendable {
  case none
  case info(String)
  case error(code: Int, String?)
  case retry(Int?)
  case table([String: Int])
  case cause(Alert)
  case several(Alert, [Alert])
  case item(Unlabelled)
  case at(Date)
  case quoted
  case nothing(Nothing)

  enum CodingKeys: String, CodingKey {
    case none, info, error, retry, table, cause, several, item, at, nothing
    case quoted = "a\"b\u{1}"
  }
}

private struct Nothing: Codable, Equatable, Sendable {}

private struct Unlabelled: Codable, Equatable, Sendable {
  var _0: Int?
  var name = ""
}

private struct Screen: Codable, Equatable {
  var alert: Alert?
  var alerts: [Alert] = []
  var byName: [String: Alert] = [:]
}

private enum Result<Success: Codable & Equatable>: Codable, Equatable {
  case success(Success)
  case failure
}

/// Decodes a string first, and only then cases.
private enum Either: Codable, Equatable {
  case link(String)
  case text(String)
  enum CodingKeys: CodingKey { case link }

  init(from decoder: any Decoder) throws {
    if let object = try? decoder.container(keyedBy: CodingKeys.self) {
      self = .link(try object.decode(String.self, forKey: .link))
    } else {
      self = .text(try decoder.singleValueContainer().decode(String.self))
    }
  }

  func encode(to encoder: any Encoder) throws {
    switch self {
    case .link(let link):
      var object = encoder.container(keyedBy: CodingKeys.self)
      try object.encode(link, forKey: .link)
    case .text(let text):
      var value = encoder.singleValueContainer()
      try value.encode(text)
    }
  }
}

/// Encodes itself as the compiler would, and decodes itself in its own way.
private enum Stubborn: Codable, Equatable {
  case on
  case level(Int)
  enum CodingKeys: CodingKey { case on, level }
  enum Values: CodingKey { case _0 }

  init(from decoder: any Decoder) throws {
    let object = try decoder.container(keyedBy: CodingKeys.self)
    guard object.contains(.level) else {
      self = .on
      return
    }
    let values = try object.nestedContainer(keyedBy: Values.self, forKey: .level)
    self = .level(try values.decode(Int.self, forKey: ._0))
  }

  func encode(to encoder: any Encoder) throws {
    var object = encoder.container(keyedBy: CodingKeys.self)
    switch self {
    case .on: _ = object.nestedContainer(keyedBy: Values.self, forKey: .on)
    case .level(let level):
      var values = object.nestedContainer(keyedBy: Values.self, forKey: .level)
      try values.encode(level, forKey: ._0)
    }
  }
}

private enum WrittenOnly: Encodable { case a, b(Int) }

struct `A case` {
  private static let written: [(Alert, String)] = [
    (.none, #""none""#), (.info("x"), #"{"info":"x"}"#),
    (.error(code: 1, nil), #"{"error":{"code":1,"_1":null}}"#),
    (.retry(3), #"{"retry":3}"#), (.retry(nil), #"{"retry":null}"#),
    (.table(["a": 1]), #"{"table":{"a":1}}"#),
    (.cause(.none), #"{"cause":"none"}"#),
    (.cause(.cause(.info("x"))), #"{"cause":{"cause":{"info":"x"}}}"#),
    (.several(.none, [.retry(1), .none]), #"{"several":{"_0":"none","_1":[{"retry":1},"none"]}}"#),
    (.at(Date(timeIntervalSince1970: 0)), #"{"at":"1970-01-01T00:00:00.000Z"}"#),
    (.quoted, #""a\"b\u0001""#), (.cause(.quoted), #"{"cause":"a\"b\u0001"}"#),
  ]

  @Test(arguments: written.indices)
  func `is written in its short form and read in both forms, at every depth`(index: Int) throws {
    let (alert, text) = Self.written[index]
    #expect(try encoded(alert) == text)
    #expect(try decode(Alert.self, text) == alert)
    #expect(try decodeInput(Alert.self, text) == alert)
    let screen = Screen(alert: alert, alerts: [alert, alert], byName: ["a": alert])
    let whole = #"{"alert":\#(text),"alerts":[\#(text),\#(text)],"byName":{"a":\#(text)}}"#
    #expect(try encoded(screen) == whole)
    #expect(try decode(Screen.self, whole) == screen)
    let result = Result.success(screen)
    #expect(try encoded(result) == #"{"success":\#(whole)}"#)
    #expect(try decode(Result<Screen>.self, #"{"success":\#(whole)}"#) == result)
    #expect(try decodeInput(Result<Screen>.self, #"{"success":\#(whole)}"#) == result)
  }

  @Test func `is written in full if its short form would be ambiguous`() throws {
    func check(_ alert: Alert, _ text: String) throws {
      #expect(try encoded([alert]) == "[\(text)]")
      #expect(try decode([Alert].self, "[\(text)]") == [alert])
    }
    try check(.table([:]), #"{"table":{"_0":{}}}"#)
    try check(.nothing(Nothing()), #"{"nothing":{"_0":{}}}"#)
    try check(.table(["_0": 1]), #"{"table":{"_0":{"_0":1}}}"#)
    try check(.table(["a": 1, "_0": 2]), #"{"table":{"_0":{"_0":2,"a":1}}}"#)
    try check(.item(Unlabelled()), #"{"item":{"_0":{"_0":null,"name":""}}}"#)
    try check(.info(#"{"_0":1}"#), #"{"info":"{\"_0\":1}"}"#)
    try check(.cause(.table(["_0": 1])), #"{"cause":{"table":{"_0":{"_0":1}}}}"#)
    try check(.table(["a": 1, "b\"_0": 2]), #"{"table":{"a":1,"b\"_0":2}}"#)
  }

  private static let stored: [(String, Alert)] = [
    (#"{"none":{}}"#, .none), (#"{"info":{"_0":"x"}}"#, .info("x")),
    (#"{"retry":{"_0":null}}"#, .retry(nil)), (#"{"retry":{}}"#, .retry(nil)),
    (#""retry""#, .retry(nil)), (#"{"cause":{"_0":{"info":{"_0":"x"}}}}"#, .cause(.info("x"))),
    (#"{"several":{"_0":{"none":{}},"_1":[{"none":{}}]}}"#, .several(.none, [.none])),
    (#"{"table":{}}"#, .table([:])), (#"{"error":{"code":1}}"#, .error(code: 1, nil)),
    (#"{"at":{"_0":-978307200}}"#, .at(Date(timeIntervalSince1970: 0))),
  ]

  @Test(arguments: stored.indices)
  func `is read in the full form that earlier versions stored`(index: Int) throws {
    let (text, alert) = Self.stored[index]
    #expect(try decode(Alert.self, text) == alert)
    #expect(try decode(Screen.self, #"{"alerts":[\#(text)],"byName":{}}"#).alerts == [alert])
  }

  @Test func `of an enum with its own coding is written by that coding`() throws {
    for value in [Either.link("a"), .text("link"), .text("a")] {
      #expect(try decode([Either].self, encoded([value])) == [value])
    }
    #expect(try encoded(Either.text("link")) == #""link""#)
    #expect(try encoded([Stubborn.on, .level(1)]) == #"[{"on":{}},{"level":{"_0":1}}]"#)
    #expect(try decode([Stubborn].self, encoded([Stubborn.on, .level(1)])) == [.on, .level(1)])
    #expect(try encoded([Color.red]) == #"["red"]"#)
    #expect(try encoded(AnyJSON.object(["a": .object([:])])) == #"{"a":{}}"#)
    #expect(try encoded([WrittenOnly.a, .b(1)]) == #"["a",{"b":1}]"#)
  }

  private static let refused: [(String, JSONError.Kind, String?, String)] = [
    (#""nope""#, .typeMismatch, "alert", "there is no case 'nope'"),
    (#"{"nope":1}"#, .unknownMember, "alert.nope", "unknown member 'nope'"),
    (#"5"#, .typeMismatch, "alert", "expected the name of a case or an object, found 5"),
    (#"{}"#, .typeMismatch, "alert", "expected one case, found 0"),
    (#"{"none":{},"retry":1}"#, .typeMismatch, "alert", "expected one case, found 2"),
    (#""info""#, .missingMember, "alert.info", "the case needs a value"),
    (#"{"info":{}}"#, .missingMember, "alert.info", "the case needs a value"),
    (#"{"info":5}"#, .typeMismatch, "alert.info", "expected a string, found 5"),
    (#"{"info":{"_0":5}}"#, .typeMismatch, "alert.info._0", "expected a string, found 5"),
    (#""error""#, .missingMember, "alert.error.code", "the member 'code' is missing"),
    (
      #"{"error":{"code":"x"}}"#, .typeMismatch, "alert.error.code",
      "expected an integer, found 'x'"
    ),
    (#"{"none":1}"#, .typeMismatch, "alert.none", "expected an object, found 1"),
    (#"{"cause":"nope"}"#, .typeMismatch, "alert.cause", "there is no case 'nope'"),
    (
      #"{"cause":{"info":[]}}"#, .typeMismatch, "alert.cause.info",
      "expected a string, found an array"
    ),
    (#"{"table":{"a":null}}"#, .typeMismatch, "alert.table.a", "expected an integer, found null"),
  ]

  @Test(arguments: refused.indices)
  func `with a fault is reported with its path`(index: Int) {
    enum Input: Codable { case show(alert: Alert), set(Screen), put(Alert) }
    let (text, kind, member, reason) = Self.refused[index]
    let inState = failure { () throws(JSONError) in
      try decode(Screen.self, #"{"alert":\#(text),"alerts":[],"byName":{}}"#)
    }
    #expect(inState?.kind == kind && inState?.member == member && inState?.reason == reason)
    let inInput = failure { () throws(JSONError) in
      try decodeInput(Input.self, #"{"show":{"alert":\#(text)}}"#)
    }
    #expect(inInput?.kind == kind && inInput?.member == member && inInput?.reason == reason)
    let inLoneValue = failure { () throws(JSONError) in
      try decodeInput(Input.self, #"{"set":{"alerts":[],"byName":{},"alert":\#(text)}}"#)
    }
    #expect(inLoneValue?.member == member.map { "set.\($0)" } && inLoneValue?.reason == reason)
    let alone = failure { () throws(JSONError) in
      try decodeInput(Input.self, #"{"put":\#(text)}"#)
    }
    #expect(alone?.kind == kind && alone?.reason == reason)
    #expect(alone?.member == member.map { "put" + $0.dropFirst("alert".count) })
  }

  @Test func `is written in its short form by a type that alternates between containers`() throws {
    struct Interleaved: Encodable {
      enum Keys: CodingKey { case a, b, c }
      func encode(to encoder: any Encoder) throws {
        var object = encoder.container(keyedBy: Keys.self)
        var list = object.nestedUnkeyedContainer(forKey: .a)
        var inner = object.nestedContainer(keyedBy: Keys.self, forKey: .b)
        try list.encode(Alert.none)
        try inner.encode(Alert.cause(.info("x")), forKey: .a)
        try list.encode(Alert.table(["_0": 1]))
        try inner.encode(Alert.retry(nil), forKey: .b)
        try object.encode(Alert.several(.quoted, []), forKey: .c)
      }
    }
    let text =
      #"{"a":["none",{"table":{"_0":{"_0":1}}}],"b":{"a":{"cause":{"info":"x"}},"#
      + #""b":{"retry":null}},"c":{"several":{"_0":"a\"b\u0001","_1":[]}}}"#
    #expect(try encoded(Interleaved()) == text)
    #expect(try encoded([Interleaved()]) == "[\(text)]")
  }

  @Test func `is removed if its value cannot be encoded`() throws {
    enum Reading: Encodable { case value(Double), both(Double, Double) }
    struct Trying: Encodable {
      func encode(to encoder: any Encoder) throws {
        var list = encoder.unkeyedContainer()
        try list.encode(Alert.none)
        try? list.encode(Reading.value(.nan))
        try? list.encode(Reading.both(1, .nan))
        try list.encode(Reading.value(1))
      }
    }
    #expect(try encoded(Trying()) == #"["none",{"value":1}]"#)
    #expect(throws: EncodingError.self) { try StrictJSON.encode(Reading.value(.infinity)) }
  }

  @Test func `may be nested as deeply as its full form`() throws {
    func chain(_ length: Int) -> Alert { length == 1 ? .none : .cause(chain(length - 1)) }
    let deepest = try StrictJSON.encode(chain(32))
    #expect(try StrictJSON.decode(Alert.self, from: deepest) == chain(32))
    #expect(throws: EncodingError.self) { try StrictJSON.encode(chain(33)) }
  }
}

/// Opens an object, and then encodes an enum to the same encoder.
struct Opened: Encodable {
  enum Choice: Codable, Sendable { case none, a(Int) }
  enum CodingKeys: CodingKey { case a }
  let choice: Choice

  func encode(to encoder: any Encoder) throws {
    _ = encoder.container(keyedBy: CodingKeys.self)
    var container = encoder.singleValueContainer()
    try container.encode(choice)
  }
}

struct `A case in an object that is already open` {
  @Test(arguments: [Opened.Choice.none, .a(1)])
  func `results in valid JSON`(choice: Opened.Choice) throws {
    let bytes = try StrictJSON.encode(Opened(choice: choice))
    #expect(throws: Never.self) { try JSONDocument(bytes) }
  }
}
