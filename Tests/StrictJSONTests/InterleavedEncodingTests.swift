import FusionStrictJSON
import Testing

/// A type that encodes itself by a closure, for cases that Codable permits and synthesis never produces.
private struct Odd: Encodable {
  var body: (any Encoder) throws -> Void
  func encode(to encoder: any Encoder) throws { try body(encoder) }
}

private enum Keys: String, CodingKey { case a, b, c, d }

struct `Encoding out of order` {
  @Test func `fills sibling containers alternately`() throws {
    var seen: (count: Int, path: [String]) = (0, [])
    let value = Odd { encoder in
      var object = encoder.container(keyedBy: Keys.self)
      var list = object.nestedUnkeyedContainer(forKey: .a)
      var inner = object.nestedContainer(keyedBy: Keys.self, forKey: .b)
      try list.encode(1)
      try inner.encode("x", forKey: .c)
      try object.encode(true, forKey: .c)
      try list.encode(["k": 2])
      seen = (list.count, list.codingPath.map(\.stringValue))
      var deep = list.nestedContainer(keyedBy: Keys.self)
      try inner.encodeNil(forKey: .d)
      try deep.encode(3, forKey: .a)
    }
    let text = #"{"a":[1,{"k":2},{"a":3}],"b":{"c":"x","d":null},"c":true}"#
    #expect(try encoded(value) == text)
    #expect(seen.count == 2 && seen.path == ["a"])
    #expect(try encoded([value, value]) == "[\(text),\(text)]")
    var bytes = Array("> ".utf8)
    try StrictJSON.encode(["k": value], into: &bytes)
    #expect(String(decoding: bytes, as: UTF8.self) == "> {\"k\":\(text)}")
  }

  @Test func `keeps super encoders until they are filled`() throws {
    let value = Odd { encoder in
      var object = encoder.container(keyedBy: Keys.self)
      let first = object.superEncoder()
      let second = object.superEncoder(forKey: .a)
      try object.encode(1, forKey: .b)
      try 2.encode(to: second)
      try [3].encode(to: first)
    }
    #expect(try encoded(value) == #"{"super":[3],"a":2,"b":1}"#)
    let unfilled = Odd { encoder in
      var list = encoder.unkeyedContainer()
      _ = list.superEncoder()
      _ = list.nestedUnkeyedContainer()
      try list.encodeNil()
    }
    #expect(try encoded(unfilled) == "[{},[],null]")
  }

  @Test func `adds another type's members to an object`() throws {
    let value = Odd { encoder in
      var object = encoder.container(keyedBy: Keys.self)
      try object.encode(1, forKey: .a)
      try Item(id: "i").encode(to: encoder)
      try object.encode(2, forKey: .b)
    }
    #expect(try encoded(value) == #"{"a":1,"id":"i","count":null,"b":2}"#)
  }

  @Test(arguments: [false, true])
  func `removes a member whose value throws`(isInterleaved: Bool) throws {
    struct Failure: Error {}
    let failing = Odd { encoder in
      var list = encoder.unkeyedContainer()
      try list.encode("half")
      throw Failure()
    }
    let value = Odd { encoder in
      var object = encoder.container(keyedBy: Keys.self)
      var list = object.nestedUnkeyedContainer(forKey: .a)
      if isInterleaved { try object.encode(0, forKey: .b) }
      try list.encode(1)
      try? list.encode(failing)
      try list.encode(2)
      try? object.encode(failing, forKey: .c)
      try? object.encode(Double.nan, forKey: .c)
      try object.encode(3, forKey: .d)
    }
    #expect(
      try encoded(value) == (isInterleaved ? #"{"a":[1,2],"b":0,"d":3}"# : #"{"a":[1,2],"d":3}"#)
    )
  }

  @Test func `throws an encoding error on misuse`() throws {
    let twice = Odd { encoder in
      var single = encoder.singleValueContainer()
      try single.encode(1)
      try single.encode(2)
    }
    let mixed = Odd { encoder in
      _ = encoder.container(keyedBy: Keys.self)
      _ = encoder.unkeyedContainer()
    }
    for value in [twice, mixed] {
      #expect(throws: EncodingError.self) { try StrictJSON.encode(["x": value]) }
    }
  }
}
