import FusionStrictJSON
import Testing

struct `A strict parser` {
  static let accepted = [
    "{}", "[]", "null", "true", "false", "0", "-0", "1", "-1", "10", "1.5", "1e5", "1E5", "1e+5",
    "1e-5", "0.0", "0e0", "-0.0e-0", "123456789012345678901234567890", "1e400", "\"\"", "\"a\"",
    "\"\u{7f}\"", "\"é\"", "\"\u{FFFF}\"", "\"\u{10FFFF}\"", "\"\u{2028}\u{2029}\"",
    #""\"\\\/\b\f\n\r\t""#, #""\u0000""#, #""\u00e9""#, #""\uD83D\uDE00""#, #""\ud83d\ude00""#,
    #""\uFFFE""#, #""\uDBFF\uDFFF""#, " \t\r\n1 \t\r\n", "[1]", "[1,2]", "[ 1 , 2 ]", "[[],{}]",
    "{\"a\":1}", "{ \"a\" : 1 , \"b\" : 2 }", "{\"\":0}", "{\"a\":{\"a\":1}}",
    "[{\"a\":1},{\"a\":1}]",
    "{\"a\":1,\"A\":2}", "[null,true,false]", "\"// no comment\"", "[\"\\u0061\"]",
  ]

  @Test(arguments: accepted)
  func `accepts what RFC 8259 allows`(text: String) throws {
    _ = try JSONDocument(Array(text.utf8))
  }

  static let refused = [
    "", " ", "\n", "{", "}", "[", "]", "{]", "[}", "[1", "[1,", "[1,]", "[,1]", "[1,,2]", "[1 2]",
    "{\"a\"", "{\"a\":", "{\"a\":1", "{\"a\":1,", "{\"a\":1,}", "{\"a\" 1}", "{a:1}", "{'a':1}",
    "{1:1}", "{,}", "{\"a\":1 \"b\":2}", "{\"a\"::1}", "1 2", "{}{}", "[]x", "nul", "nulll", "True",
    "NULL", "tru", "falsee", "NaN", "Infinity", "-Infinity", "-", "+1", "01", "-01", "00", "1.",
    ".5", "-.5", "1e", "1e+", "1.e5", "1.5.5", "0x10", "1_000", "１", "\"", "\"a", "\"\\\"",
    "\"\\a\"",
    "\"\\x41\"", "\"\\'\"", "\"\\u\"", "\"\\u12\"", "\"\\u123g\"", "\"\\U0041\"", "\"\n\"",
    "\"\t\"",
    "\"\u{0}\"", "\"\u{1f}\"", "'a'", "// c\n1", "1 // c", "/* c */ 1", "\u{FEFF}1", "\u{A0}1",
    "\u{b}1", "1\u{0}", "[1]\u{0}", #""\ud800""#, #""\udc00""#, #""\ud800\u0041""#,
    #""\ud800\ud800""#, #""\ud800x""#, #""\ud800\n""#, #"{"a":1,"a":2}"#, #"{"a":1,"\u0061":2}"#,
    #"[{"b":{"a":1,"c":[],"a":2}}]"#, #"{"\ud83d\ude00":1,"😀":1}"#, #"{"":1,"":2}"#, "undefined",
  ]

  @Test(arguments: refused)
  func `refuses everything else as a syntax error`(text: String) {
    let error = failure { () throws(JSONError) in try JSONDocument(Array(text.utf8)) }
    #expect(error?.kind == .syntax)
    #expect(error?.line != nil && error?.column != nil && error?.member == nil)
    #expect((0...text.utf8.count).contains(error?.offset ?? -1))
  }

  static let malformed: [[UInt8]] = [
    [0x80], [0xBF], [0xC0, 0x80], [0xC1, 0xBF], [0xC3], [0xC3, 0x28], [0xE0, 0x80, 0x80],
    [0xE0, 0x9F, 0xBF], [0xE2, 0x82], [0xE2, 0x28, 0xA1], [0xED, 0xA0, 0x80], [0xED, 0xBF, 0xBF],
    [0xF0, 0x80, 0x80, 0x80], [0xF0, 0x8F, 0xBF, 0xBF], [0xF0, 0x9F, 0x98],
    [0xF4, 0x90, 0x80, 0x80],
    [0xF5, 0x80, 0x80, 0x80], [0xF8, 0x88, 0x80, 0x80, 0x80], [0xFE], [0xFF],
  ]

  @Test(arguments: malformed)
  func `refuses malformed UTF-8 in strings, in names and after escapes`(bytes: [UInt8]) {
    let quote = UInt8(ascii: "\"")
    for text in [
      [quote] + bytes + [quote], Array("{\"".utf8) + bytes + Array("\":1}".utf8),
      Array("\"\\n".utf8) + bytes + [quote], bytes, [quote] + bytes,
    ] {
      #expect(failure { () throws(JSONError) in try JSONDocument(text) }?.kind == .syntax)
    }
  }

  @Test func `accepts 64 levels of nesting, and refuses 65`() throws {
    func nested(_ depth: Int) -> [UInt8] {
      Array((String(repeating: "[", count: depth) + String(repeating: "]", count: depth)).utf8)
    }
    _ = try JSONDocument(nested(64))
    #expect(failure { () throws(JSONError) in try JSONDocument(nested(65)) }?.offset == 64)
  }

  @Test(arguments: ["[", "{\"a\":", "[{\"a\":"])
  func `refuses 100,000 open brackets`(bracket: String) {
    let bytes = Array(String(repeating: bracket, count: 100_000).utf8)
    let error = failure { () throws(JSONError) in try JSONDocument(bytes) }
    #expect(error?.reason == "nested deeper than 64 levels")
  }

  @Test(arguments: [2, 16, 17, 18, 10_000])
  func `finds each member, and a duplicate, among any number of them`(count: Int) throws {
    let members = (0..<count).map { "\"n\($0)\":\($0)" }
    let root = try JSONDocument(Array("{\(members.joined(separator: ","))}".utf8)).root
    for number in [0, 1, count / 2, count - 1] {
      #expect(try root["n\(number)"]?.decode(Int.self) == number)
    }
    #expect(root["n\(count)"] == nil)
    let table = try root.decode([String: Int].self)
    #expect(table.count == count && table["n\(count - 1)"] == count - 1)
    let twice = Array("{\(members.joined(separator: ",")),\"\\u006e\(count - 1)\":0}".utf8)
    let error = failure { () throws(JSONError) in try JSONDocument(twice) }
    #expect(error?.reason == "the member name 'n\(count - 1)' occurs twice in one object")
  }

  @Test func `reports the position of a fault`() {
    let error = failure { () throws(JSONError) in try decode(Int.self, "{\n \"é\": x}") }
    #expect(error?.offset == 9 && error?.line == 2 && error?.column == 7)
    #expect(error?.description == "expected a value (line 2, column 7)")
    #expect(failure { () throws(JSONError) in try decode(Int.self, "[1") }?.offset == 2)
  }

  @Test func `quotes at most 40 characters of a client's text`() {
    let name = String(repeating: "x", count: 5000)
    let error = failure { () throws(JSONError) in
      try decode([String: Int].self, "{\"\(name)\":1,\"\(name)\":2}")
    }
    #expect((error?.reason.count ?? .max) < 100)
  }
}
