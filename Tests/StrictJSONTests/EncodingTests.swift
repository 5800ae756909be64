import FusionStrictJSON
import Testing

struct `Encoding` {
  struct Optionals: Codable, Equatable {
    var bool: Bool?
    var string: String?
    var double: Double?
    var float: Float?
    var int: Int?
    var int8: Int8?
    var int16: Int16?
    var int32: Int32?
    var int64: Int64?
    var int128: Int128?
    var uint: UInt?
    var uint8: UInt8?
    var uint16: UInt16?
    var uint32: UInt32?
    var uint64: UInt64?
    var uint128: UInt128?
    var list: [Int]?
    var item: Item?
  }

  @Test func `writes nil as null for every type`() throws {
    let text = try encoded(Optionals())
    #expect(text.split(separator: ",").count == 18)
    #expect(text.split(separator: ",").allSatisfy { $0.contains(":null") })
    #expect(try decode(Optionals.self, text) == Optionals())
    let full = Optionals(
      bool: false,
      string: "",
      double: -1.5,
      float: 0.1,
      int: .min,
      int8: .min,
      int16: .min,
      int32: .min,
      int64: .min,
      int128: .min,
      uint: .max,
      uint8: .max,
      uint16: .max,
      uint32: .max,
      uint64: .max,
      uint128: .max,
      list: [],
      item: Item(id: "")
    )
    #expect(try decode(Optionals.self, encoded(full)) == full)
  }

  @Test func `keeps a type's order, without white space`() throws {
    let snapshot = Snapshot(version: 7, state: .init(value: 3, isReset: false))
    let text = #"{"version":7,"state":{"value":3,"isReset":false}}"#
    #expect(try encoded(snapshot) == text)
    #expect(try decode(Snapshot.self, text) == snapshot)
  }

  @Test func `writes enums in their short form`() throws {
    #expect(try encoded(Sample.increase) == #""increase""#)
    #expect(try encoded(Sample.setDuration(1)) == #"{"setDuration":1}"#)
    #expect(try encoded(Sample.optional(nil)) == #"{"optional":null}"#)
    #expect(try encoded(Sample.two(1, b: 2)) == #"{"two":{"_0":1,"b":2}}"#)
    #expect(try encoded(Color.red) == #""red""#)
  }

  @Test func `writes an empty state as an empty object`() throws {
    struct Empty: Codable {}
    struct Silent: Encodable { func encode(to encoder: any Encoder) {} }
    #expect(try encoded(Empty()) == "{}")
    #expect(try encoded(Silent()) == "{}")
    #expect(try encoded([Silent(), Silent()]) == "[{},{}]")
    #expect(try encoded(["a": [Int]()]) == #"{"a":[]}"#)
  }

  @Test func `sorts dictionaries by key at any depth`() throws {
    let names = (0..<50).map { "k\($0)" }
    let table = Dictionary(uniqueKeysWithValues: names.map { ($0, [$0: Optional(1)]) })
    let text = "{" + names.sorted().map { "\"\($0)\":{\"\($0)\":1}" }.joined(separator: ",") + "}"
    #expect(try encoded(table) == text)
    #expect(try encoded(Optional(table)) == text)
    #expect(try encoded([3: "c", 1: "a", 2: "b"]) == #"{"1":"a","2":"b","3":"c"}"#)
    #expect(try decode([Int: String].self, #"{"1":"a"}"#) == [1: "a"])
    #expect(try encoded([Sample.table(["b": 1, "a": 2])]) == #"[{"table":{"a":2,"b":1}}]"#)
  }

  @Test(arguments: [
    (3.0, "3"), (0, "0"), (-0.0, "-0"), (1.5, "1.5"), (0.1, "0.1"), (1e16, "1e16"), (1e-7, "1e-7"),
    (123456789.125, "123456789.125"), (.leastNonzeroMagnitude, "5e-324"), (100, "100"),
    (1.7976931348623157e308, "1.7976931348623157e308"),
  ])
  func `writes doubles that read back exactly`(value: Double, text: String) throws {
    #expect(try encoded(value) == text)
    #expect(try decode(Double.self, text).bitPattern == value.bitPattern)
  }

  @Test func `escapes only what has to be escaped, and text controls`() throws {
    let text = "\"\\/\u{8}\u{c}\n\r\t\u{0}\u{1f}\u{1}\u{7f}é\u{2028}\u{2029}😀"
    let literal = #""\"\\/\b\f\n\r\t\u0000\u001F\u0001\u007Fé\u2028\u2029😀""#
    #expect(try encoded(text) == literal)
    var bytes = Array("x".utf8)
    bytes.appendLiteral(text)
    #expect(String(decoding: bytes, as: UTF8.self) == "x" + literal)
    #expect(try decode(String.self, literal) == text)
    #expect(try encoded(["a\"b": 1]) == #"{"a\"b":1}"#)
  }

  /// Whatever ends a line, gives commands to a terminal or changes the direction of text, by Unicode's own properties;
  /// no other character of two or three bytes.
  @Test func `escapes every text control at every place, and nothing else`() throws {
    for value in UInt32(0x7F)...0xFFFF {
      guard let scalar = Unicode.Scalar(value) else { continue }
      let properties = scalar.properties
      let isControl =
        [.control, .lineSeparator, .paragraphSeparator].contains(properties.generalCategory)
        || properties.isBidiControl
      for padding in isControl ? 0...9 : 0...0 {
        let before = String(repeating: "x", count: padding)
        let text = before + String(scalar) + "yyyyyyyyy"
        let digits = String(value, radix: 16, uppercase: true)
        let escape = "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        let expected = "\"\(before)\(isControl ? escape : String(scalar))yyyyyyyyy\""
        let literal = try encoded(text)
        #expect(Array(literal.utf8) == Array(expected.utf8))
        if isControl { #expect(try decode(String.self, literal).utf8.elementsEqual(text.utf8)) }
      }
    }
  }

  @Test func `throws for infinite numbers and NaN, and leaves the buffer unchanged`() throws {
    struct Reading: Encodable { var name = "x", value: Double }
    for value in [Double.nan, .infinity, -.infinity] {
      var bytes = Array("[".utf8)
      #expect(throws: EncodingError.self) {
        try StrictJSON.encode(Reading(value: value), into: &bytes)
      }
      #expect(throws: EncodingError.self) { try StrictJSON.encode([Float(value)], into: &bytes) }
      #expect(bytes == Array("[".utf8))
      try StrictJSON.encode(Reading(value: 1), into: &bytes)
      #expect(String(decoding: bytes, as: UTF8.self) == #"[{"name":"x","value":1}"#)
    }
  }

  @Test func `writes no more levels than can be read`() throws {
    final class Knot: Encodable {
      var next: Knot?
      enum Keys: CodingKey { case next }
      func encode(to encoder: any Encoder) throws {
        var object = encoder.container(keyedBy: Keys.self)
        try object.encodeIfPresent(next, forKey: .next)
      }
    }
    func chain(_ length: Int) -> Knot {
      let knot = Knot()
      if length > 1 { knot.next = chain(length - 1) }
      return knot
    }
    _ = try JSONDocument(StrictJSON.encode(chain(64)))
    #expect(throws: EncodingError.self) { try StrictJSON.encode(chain(65)) }
    let endless = Knot()
    endless.next = endless
    #expect(throws: EncodingError.self) { try StrictJSON.encode(endless) }
    endless.next = nil
  }
}
