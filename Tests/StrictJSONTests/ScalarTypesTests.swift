import Foundation
import FusionStrictJSON
import Testing

/// Every type of Foundation and the standard library with a JSON form of its own.
struct Scalars: Codable, Equatable {
  var date: Date
  var url: URL
  var id: UUID
  var price: Decimal
  var data: Data
  var pause: Duration
}

typealias SentValue = Decodable & Sendable

private enum Setting<Value: Decodable>: Decodable { case set(value: Value) }

struct `Types with a JSON form of their own` {
  private let url = URL(string: "https://example.org/a?b=c#d")
  private let id = UUID(uuidString: "0F1E2D3C-4B5A-6978-8796-A5B4C3D2E1F0")

  private func scalars() throws -> Scalars {
    Scalars(
      date: Date(timeIntervalSince1970: 1_700_000_000.25),
      url: try #require(url),
      id: try #require(id),
      price: try #require(Decimal(string: "-12.50")),
      data: Data([0, 0xFF, 0x10]),
      pause: .milliseconds(1500)
    )
  }

  private let text =
    #"{"date":"2023-11-14T22:13:20.250Z","url":"https://example.org/a?b=c#d","#
    + #""id":"0F1E2D3C-4B5A-6978-8796-A5B4C3D2E1F0","price":"-12.5","data":"AP8Q","pause":1.5}"#

  @Test func `survive encoding and decoding`() throws {
    #expect(try encoded(scalars()) == text)
    #expect(try decode(Scalars.self, text) == scalars())
  }

  @Test func `have the same form at every depth`() throws {
    enum Choice: Codable, Equatable { case at(Date), several(first: UUID?, Duration) }
    struct Holder<Value: Codable & Equatable>: Codable, Equatable { var value: Value }
    let date = Date(timeIntervalSince1970: 0)
    let written = #""1970-01-01T00:00:00.000Z""#
    func check<T: Codable & Equatable>(_ value: T, _ expected: String) throws {
      #expect(try encoded(value) == expected)
      #expect(try decode(T.self, expected) == value)
    }
    try check(date, written)
    try check([date], "[\(written)]")
    try check([Date?.some(date), nil], "[\(written),null]")
    try check(["a": date], #"{"a":\#(written)}"#)
    try check(Holder(value: [Holder(value: date)]), #"{"value":[{"value":\#(written)}]}"#)
    try check([Duration.seconds(-1)], "[-1]")
    #expect(try decodeInput(Choice.self, #"{"at":\#(written)}"#) == .at(date))
    #expect(try decodeInput(Choice.self, #"{"at":{"_0":\#(written)}}"#) == .at(date))
    #expect(
      try decodeInput(Choice.self, #"{"several":{"first":null,"_1":0.25}}"#)
        == .several(first: nil, .milliseconds(250))
    )
  }

  @Test func `are read in the form that earlier versions stored`() throws {
    let stored =
      #"{"date":721692800.25,"url":{"relative":"https://example.org/a?b=c#d"},"#
      + #""id":"0F1E2D3C-4B5A-6978-8796-A5B4C3D2E1F0","#
      + #""price":{"exponent":-1,"length":1,"isNegative":true,"isCompact":true,"#
      + #""mantissa":[125,0,0,0,0,0,0,0]},"data":[0,255,16],"pause":[0,1500000000000000000]}"#
    #expect(try decode(Scalars.self, stored) == scalars())
    #expect(try encoded(decode(Scalars.self, stored)) == text)
  }

  static let refused: [(any SentValue.Type, String)] = [
    (Date.self, "721692800.25"), (URL.self, #"{"relative":"a"}"#), (Data.self, "[1]"),
    (Duration.self, "[0,1]"), (Date.self, "true"), (Decimal.self, "12.5"), (UUID.self, "1"),
    (URL.self, "null"), (Data.self, "{}"), (Duration.self, #""1""#),
  ]

  @Test(arguments: refused)
  func `have only one form in an Input`(type: any SentValue.Type, text: String) {
    func check<T: Decodable>(_ type: T.Type) {
      let error = failure { () throws(JSONError) in
        try decodeInput(Setting<T>.self, #"{"set":{"value":\#(text)}}"#)
      }
      #expect(error?.kind == .typeMismatch && error?.member == "value")
      #expect(error?.reason.hasPrefix("expected ") == true)
    }
    check(type)
  }
}

struct `A Date` {
  private func date(_ text: String) throws -> Date { try decode(Date.self, "\"\(text)\"") }

  @Test(arguments: [
    ("1985-04-12T23:20:50.52Z", "1985-04-12T23:20:50.520Z"),
    ("1996-12-19T16:39:57-08:00", "1996-12-20T00:39:57.000Z"),
    ("1990-12-31T23:59:60Z", "1991-01-01T00:00:00.000Z"),
    ("1990-12-31T15:59:60-08:00", "1991-01-01T00:00:00.000Z"),
    ("1937-01-01T12:00:27.87+00:20", "1937-01-01T11:40:27.870Z"),
    ("2024-02-29t00:00:00z", "2024-02-29T00:00:00.000Z"),
    ("2000-02-29T23:59:59.9994999Z", "2000-02-29T23:59:59.999Z"),
    ("2000-02-29T23:59:59.9995Z", "2000-03-01T00:00:00.000Z"),
    ("0000-01-01T00:00:00-00:00", "0000-01-01T00:00:00.000Z"),
    ("9999-12-31T23:59:59.999Z", "9999-12-31T23:59:59.999Z"),
    ("1969-12-31T23:59:59.999Z", "1969-12-31T23:59:59.999Z"),
  ])
  func `is read as RFC 3339 and written in UTC with milliseconds`(
    text: String,
    written: String
  ) throws {
    #expect(try encoded(date(text)) == "\"\(written)\"")
    #expect(try date(written) == date(text))
  }

  @Test(arguments: [
    "", "2023", "2023-11-14", "2023-11-14T22:13:20", "2023-11-14T22:13Z", "2023-11-14 22:13:20Z",
    "2023-13-01T00:00:00Z", "2023-00-01T00:00:00Z", "2023-02-29T00:00:00Z", "1900-02-29T00:00:00Z",
    "2023-11-31T00:00:00Z", "2023-11-14T24:00:00Z", "2023-11-14T22:60:00Z", "2023-11-14T22:13:61Z",
    "2023-11-14T22:13:60Z", "2023-06-29T23:59:60Z", "2023-11-14T22:13:20.Z",
    "2023-11-14T22:13:20+24:00",
    "2023-11-14T22:13:20+0100", "2023-11-14T22:13:20+01:60", "2023-11-14T22:13:20Zx",
    "+2023-11-14T22:13:20Z", "23-11-14T22:13:20Z", "2023-1-14T22:13:20Z", "２023-11-14T22:13:20Z",
    "0000-01-01T00:00:00+00:01", "9999-12-31T23:59:59-00:01", "9999-12-31T23:59:59.9999Z",
  ])
  func `in an invalid form is refused`(text: String) {
    let error = failure { () throws(JSONError) in
      try decode([String: [Date]].self, #"{"at":["\#(text)"]}"#)
    }
    #expect(error?.kind == .typeMismatch && error?.member == "at.0")
    #expect(error?.reason.hasPrefix("expected a date and time") == true)
  }

  @Test func `is written the same before and after storing`() throws {
    var generator = SystemRandomNumberGenerator()
    for _ in 0..<2_000 {
      let seconds = Double.random(in: -62_000_000_000...250_000_000_000, using: &generator)
      let text = try encoded(Date(timeIntervalSince1970: seconds))
      #expect(try encoded(decode(Date.self, text)) == text)
    }
  }

  @Test(arguments: [Double.infinity, .nan, 1e300, -62_167_219_200.001, 253_402_300_799.9996])
  func `outside the range of RFC 3339 cannot be written`(seconds: Double) {
    #expect(throws: EncodingError.self) {
      try StrictJSON.encode(["a": Date(timeIntervalSince1970: seconds)])
    }
  }
}

struct `A Duration` {
  @Test(arguments: [
    (Duration.zero, "0"), (.seconds(90), "90"), (.milliseconds(-500), "-0.5"),
    (.nanoseconds(1), "0.000000001"), (Duration(attoseconds: 1), "0.000000000000000001"),
    (Duration(attoseconds: -1), "-0.000000000000000001"), (.seconds(Int64.max), "\(Int64.max)"),
    (Duration(attoseconds: .min), "-170141183460469231731.687303715884105728"),
  ])
  func `is written with all its digits`(duration: Duration, text: String) throws {
    #expect(try encoded(duration) == text)
    #expect(try decode(Duration.self, text) == duration)
  }

  @Test(arguments: [
    ("1e-3", Duration.milliseconds(1)), ("15E2", .seconds(1500)), ("-0", .zero),
    ("0e999999999999999999999", .zero), ("1e-40", .zero),
    ("0.30000000000000004", Duration(attoseconds: 300_000_000_000_000_040)),
    ("0.0000000000000000005", Duration(attoseconds: 1)),
    ("0.00000000000000000049999", .zero), ("1.50", .milliseconds(1500)),
  ])
  func `is read from any number`(text: String, duration: Duration) throws {
    #expect(try decode(Duration.self, text) == duration)
  }

  @Test(arguments: ["1e21", "-1e300", "170141183460469231731.687303715884105728"])
  func `out of range is refused`(text: String) {
    let error = failure { () throws(JSONError) in try decode([Duration].self, "[\(text)]") }
    #expect(error?.kind == .numberOutOfRange && error?.member == "0")
  }
}

struct `A Decimal` {
  @Test(arguments: [
    ("0", "0"), ("-0", "0"), ("12.50", "12.5"), ("1e3", "1000"), ("1E-3", "0.001"),
    ("0.10", "0.1"), ("-7", "-7"),
    ("340282366920938463463374607431768211455", "340282366920938463463374607431768211455"),
  ])
  func `is read in JSON's form of numbers`(text: String, written: String) throws {
    #expect(try encoded(decode(Decimal.self, "\"\(text)\"")) == "\"\(written)\"")
  }

  @Test(arguments: [
    "", "1x", "01", "+1", ".5", "1.", "1e", "1,5", " 1", "NaN", "0x10", "--1", "1e+", "١",
  ])
  func `in an invalid form is refused`(text: String) {
    let error = failure { () throws(JSONError) in try decode([Decimal].self, "[\"\(text)\"]") }
    #expect(error?.kind == .typeMismatch && error?.member == "0")
    #expect(error?.reason.hasPrefix("expected a decimal number as a string") == true)
  }

  @Test(arguments: [
    "1e400", "1e-400", "340282366920938463463374607431768211456.5", "1e99999999999",
  ])
  func `with too many digits is refused`(text: String) {
    let error = failure { () throws(JSONError) in try decode([Decimal].self, "[\"\(text)\"]") }
    #expect(error?.kind == .numberOutOfRange && error?.member == "0")
  }

  @Test func `that is NaN cannot be written`() {
    #expect(throws: EncodingError.self) { try StrictJSON.encode([Decimal.nan]) }
  }
}

struct `The text of bytes, URLs and UUIDs` {
  @Test(arguments: ["QQ", "QQ=", "QR==", "QQ==\\n", "Q Q=", "_-==", "é", "QQ==QQ=="])
  func `is refused if it is not base64 as in RFC 4648`(text: String) {
    let error = failure { () throws(JSONError) in try decode([Data].self, "[\"\(text)\"]") }
    #expect(error?.kind == .typeMismatch && error?.member == "0")
    #expect(error?.reason.hasPrefix("expected base64") == true)
  }

  @Test func `may be empty for empty data`() throws {
    #expect(try encoded(Data()) == "\"\"")
    #expect(try decode(Data.self, "\"\"") == Data())
  }

  @Test(arguments: ["", "http://[::1"])
  func `is refused if it is not a URL`(text: String) {
    let error = failure { () throws(JSONError) in try decode([URL].self, "[\"\(text)\"]") }
    #expect(error?.kind == .typeMismatch && error?.reason.hasPrefix("expected a URL") == true)
  }

  @Test func `is an absolute URL, even if the URL was relative to a base`() throws {
    let base = try #require(URL(string: "https://example.org/a/"))
    let url = try #require(URL(string: "b", relativeTo: base))
    #expect(try encoded(url) == #""https://example.org/a/b""#)
  }

  @Test func `may have a UUID in lower case, and is written in upper case`() throws {
    let id = try decode(UUID.self, #""0f1e2d3c-4b5a-6978-8796-a5b4c3d2e1f0""#)
    #expect(try encoded(id) == #""0F1E2D3C-4B5A-6978-8796-A5B4C3D2E1F0""#)
    for text in ["", "0F1E2D3C", "0F1E2D3C-4B5A-6978-8796-A5B4C3D2E1F0x"] {
      let error = failure { () throws(JSONError) in try decode([UUID].self, "[\"\(text)\"]") }
      #expect(error?.kind == .typeMismatch && error?.reason.hasPrefix("expected a UUID") == true)
    }
  }
}
