import FusionStrictJSON
import Testing

struct `Decoding` {
  @Test func `reads every fixed-width integer within its bounds only`() throws {
    func check<I: FixedWidthInteger & Decodable>(_ type: I.Type) throws {
      #expect(try decode(I.self, "\(I.max)") == .max)
      #expect(try decode(I.self, "\(I.min)") == .min)
      for text in ["\(I.max)0", "-\(I.max)0", "1e300"] {
        let error = failure { () throws(JSONError) in try decode(I.self, text) }
        #expect(error?.kind == .numberOutOfRange)
      }
    }
    try check(Int.self)
    try check(Int8.self)
    try check(Int16.self)
    try check(Int32.self)
    try check(Int64.self)
    try check(Int128.self)
    try check(UInt.self)
    try check(UInt8.self)
    try check(UInt16.self)
    try check(UInt32.self)
    try check(UInt64.self)
    try check(UInt128.self)
    struct Wide: Codable, Equatable { var signed: Int128, unsigned: [UInt128] }
    let wide = Wide(signed: .min, unsigned: [.max])
    #expect(try decode(Wide.self, encoded(wide)) == wide)
    let above = "9223372036854775808"
    #expect(
      failure { () throws(JSONError) in try decode(Int64.self, above) }?.kind == .numberOutOfRange
    )
    #expect(
      failure { () throws(JSONError) in try decode(UInt8.self, "-1") }?.kind == .numberOutOfRange
    )
  }

  @Test(arguments: [
    ("1.0", 1), ("1e2", 100), ("-0", 0), ("-0.0", 0), ("0e99999999999999999999", 0), ("1.50e1", 15),
    ("100e-2", 1), ("-12.0E+1", -120), ("9007199254740991.0", 9_007_199_254_740_991),
    ("0.0001e4", 1), ("10000000000000000000000e-21", 10), ("1e+16", 10_000_000_000_000_000),
    ("1E16", 10_000_000_000_000_000), ("12300e-2", 123),
    ("9007199254740993.0", 9_007_199_254_740_993),
    ("9223372036854775807.00", .max), ("9.223372036854775807e18", .max),
    ("-9.223372036854775808E+18", .min),
    ("922337203685477580700e-2", .max), ("-0e5", 0), ("0.000e-3", 0),
  ])
  func `accepts an integer with a fraction or an exponent`(text: String, value: Int) throws {
    #expect(try decode(Int.self, text) == value)
  }

  @Test(arguments: [
    ("1.5", JSONError.Kind.typeMismatch), ("1e-1", .typeMismatch), ("0.1", .typeMismatch),
    ("1.00000000000000000000000001", .typeMismatch), ("1e-99999999999999999999", .typeMismatch),
    ("9223372036854775808.0", .numberOutOfRange), ("1e19", .numberOutOfRange),
    ("-9.223372036854775809e18", .numberOutOfRange), ("9.2233720368547758079e18", .typeMismatch),
    ("1e99999999999999999999", .numberOutOfRange), ("-1e400", .numberOutOfRange),
  ])
  func `refuses other fractions, and integers out of its range in that form`(
    text: String,
    kind: JSONError.Kind
  ) {
    #expect(failure { () throws(JSONError) in try decode(Int.self, text) }?.kind == kind)
  }

  @Test func `reads an integer in any notation up to the bounds of its type`() throws {
    #expect(try decode(UInt8.self, "2.55e2") == 255)
    #expect(try decode(Int8.self, "-1280e-1") == -128)
    #expect(try decode(UInt64.self, "1.8446744073709551615e19") == .max)
    #expect(try decode(UInt128.self, "3.40282366920938463463374607431768211455e38") == .max)
    #expect(try decode(Int128.self, "-170141183460469231731687303715884105728.0") == .min)
    for text in ["2.56e2", "-1e0", "1e3"] {
      let error = failure { () throws(JSONError) in try decode(UInt8.self, text) }
      #expect(error?.kind == .numberOutOfRange)
    }
    #expect(try decode(UInt.self, "-0.0") == 0)
  }

  @Test func `accepts only finite floating-point numbers`() throws {
    #expect(try decode(Double.self, "1.7976931348623157e308") == .greatestFiniteMagnitude)
    #expect(try decode(Double.self, "5e-324") == .leastNonzeroMagnitude)
    #expect(try decode(Double.self, "-0").sign == .minus)
    #expect(try decode(Double.self, "3") == 3)
    #expect(try decode(Float.self, "0.1") == 0.1)
    for text in ["1e400", "-1e400"] {
      let error = failure { () throws(JSONError) in try decode(Double.self, text) }
      #expect(error?.kind == .numberOutOfRange)
    }
    #expect(
      failure { () throws(JSONError) in try decode(Float.self, "1e39") }?.kind == .numberOutOfRange
    )
    #expect(
      failure { () throws(JSONError) in try decode(Double.self, "\"1\"") }?.kind == .typeMismatch
    )
  }

  static let faults: [(String, JSONError.Kind, String?, Int)] = [
    (#"{"todos":[{"id":1,"title":"a"},{"id":"x","title":"b"}]}"#, .typeMismatch, "todos.1.id", 37),
    (#"{"todos":[{"id":1}]}"#, .missingMember, "todos.0.title", 10),
    (#"{"todos":[{"id":1,"title":null}]}"#, .typeMismatch, "todos.0.title", 26),
    (#"{"todos":[{"id":1,"title":"a","due":1}]}"#, .unknownMember, "todos.0.due", 30),
    (#"{"todos":{}}"#, .typeMismatch, "todos", 9), ("{}", .missingMember, "todos", 0),
    (#"{"todos":[],"x":1}"#, .unknownMember, "x", 12), ("[]", .typeMismatch, nil, 0),
    (#"{"todos":[{"id":1e30,"title":""}]}"#, .numberOutOfRange, "todos.0.id", 16),
  ]

  @Test(arguments: faults)
  func `names the member and the position of a fault`(
    text: String,
    kind: JSONError.Kind,
    member: String?,
    offset: Int
  ) throws {
    let error = try #require(failure { () throws(JSONError) in try decode(Todos.self, text) })
    #expect(error.kind == kind && error.member == member && error.offset == offset)
  }

  @Test func `reads null as a missing value for optional types, and refuses it for others`() throws
  {
    #expect(try decode(Item.self, #"{"id":"a","count":null}"#) == Item(id: "a"))
    #expect(try decode([Int?].self, "[1,null]") == [1, nil])
    #expect(try decode([[Int]].self, "[[],[1,2]]") == [[], [1, 2]])
    #expect(failure { () throws(JSONError) in try decode([Int].self, "[null]") }?.member == "0")
  }

  @Test func `wraps errors of a type's own initializer`() throws {
    struct Even: Decodable {
      init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard try container.decode(Int.self).isMultiple(of: 2) else {
          throw DecodingError.dataCorruptedError(in: container, debugDescription: "must be even")
        }
      }
    }
    struct Refusing: Decodable {
      struct Reason: Error, CustomStringConvertible { var description: String }
      init(from decoder: any Decoder) throws {
        throw Reason(description: "no: \(try decoder.singleValueContainer().decode(String.self))")
      }
    }
    let odd = failure { () throws(JSONError) in try decode([String: [Even]].self, #"{"a":[2,3]}"#) }
    #expect(odd?.member == "a.1" && odd?.reason == "must be even" && odd?.offset == 8)
    let long = "\"" + String(repeating: "y", count: 9000) + "\""
    let refused = failure { () throws(JSONError) in try decode([Refusing].self, "[\(long)]") }
    #expect(refused?.member == "0" && refused?.reason.hasPrefix("no: yyy") == true)
    #expect((refused?.reason.count ?? .max) < 60)
    let color = failure { () throws(JSONError) in try decode([Color].self, "[\"red\",\(long)]") }
    #expect(color?.member == "1" && (color?.reason.count ?? .max) < 100)
  }

  @Test func `compares names by their code points`() throws {
    let composed = #"{"id":"a","\u00e9":1}"#
    struct Accented: Decodable, Equatable { var é: Int? }
    #expect(try decode(Accented.self, #"{"\u00e9":1}"#) == Accented(é: 1))
    #expect(failure { () throws(JSONError) in try decode(Accented.self, #"{"e\u0301":1}"#) } != nil)
    #expect(failure { () throws(JSONError) in try decode(Item.self, composed) }?.member == "é")
    let both = #"{"e\u0301":1,"\u00e9":2}"#
    #expect(failure { () throws(JSONError) in try decode([String: Int].self, both) } != nil)
    struct AnyName: CodingKey {
      let stringValue: String
      var intValue: Int? { nil }
      init(stringValue: String) { self.stringValue = stringValue }
      init?(intValue: Int) { nil }
    }
    struct Loose: Decodable {
      init(from decoder: any Decoder) throws { _ = try decoder.container(keyedBy: AnyName.self) }
    }
    #expect(failure { () throws(JSONError) in try decode(Loose.self, both) } != nil)
  }

  @Test func `supports nested containers, super decoders and coding paths`() throws {
    struct Odd: Decodable {
      enum Keys: String, CodingKey { case list, inner, `super` }
      init(from decoder: any Decoder) throws {
        let object = try decoder.container(keyedBy: Keys.self)
        var list = try object.nestedUnkeyedContainer(forKey: .list)
        #expect(try list.decode(Int.self) == 1 && list.currentIndex == 1 && list.count == 4)
        #expect(throws: (any Error).self) { try list.decode(Int.self) }
        #expect(try list.decode(String.self) == "x")
        #expect(try list.nestedContainer(keyedBy: Keys.self).allKeys.isEmpty)
        #expect(try list.superDecoder().singleValueContainer().decode(Bool.self))
        #expect(list.isAtEnd)
        let inner = try object.superDecoder(forKey: .inner)
        #expect(inner.codingPath.map(\.stringValue) == ["inner"])
        #expect(try Int(from: object.superDecoder()) == 7)
        #expect(try object.nestedContainer(keyedBy: Keys.self, forKey: .inner).contains(.list))
        #expect(Set(object.allKeys.map(\.rawValue)) == ["list", "inner", "super"])
      }
    }
    _ = try decode(Odd.self, #"{"list":[1,"x",{},true],"inner":{"list":null},"super":7}"#)
  }
}
