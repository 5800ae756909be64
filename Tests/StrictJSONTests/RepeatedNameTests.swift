import Foundation
import FusionStrictJSON
import Testing

private class Shape: Codable {
  var name = "shape"
  var sides: Int { 0 }
  enum Keys: CodingKey { case name, sides }

  init() {}
  required init(from decoder: any Decoder) throws {}
  func encode(to encoder: any Encoder) throws {
    var object = encoder.container(keyedBy: Keys.self)
    try object.encode(name, forKey: .name)
    try object.encode(sides, forKey: .sides)
  }
}

private final class Square: Shape {
  override var sides: Int { 4 }
  enum Own: CodingKey { case sides, edge }

  override func encode(to encoder: any Encoder) throws {
    try super.encode(to: encoder)
    var object = encoder.container(keyedBy: Own.self)
    try object.encode("four", forKey: .sides)
    try object.encode(2, forKey: .edge)
  }
}

/// A type that encodes itself by a closure.
private struct Odd: Encodable {
  var body: (any Encoder) throws -> Void
  func encode(to encoder: any Encoder) throws { try body(encoder) }
}

private enum Keys: String, CodingKey, CaseIterable { case a, b, c, d, longName, longNote, ac, bc }

private struct FreeKey: CodingKey {
  let stringValue: String
  var intValue: Int? { nil }
  init(stringValue: String) { self.stringValue = stringValue }
  init?(intValue: Int) { nil }
}

private indirect enum Tree: Decodable, Equatable {
  case number(Int)
  case list([Tree])
  case table([String: Tree])
  init(from decoder: any Decoder) throws {
    let value = try decoder.singleValueContainer()
    if let number = try? value.decode(Int.self) {
      self = .number(number)
    } else if let list = try? value.decode([Tree].self) {
      self = .list(list)
    } else {
      self = .table(try value.decode([String: Tree].self))
    }
  }
}

struct `A name that is written twice` {
  @Test func `has the value that was written last`() throws {
    #expect(try encoded(Square()) == #"{"name":"shape","sides":"four","edge":2}"#)
    #expect(
      try encoded([Square(), Shape()])
        == #"[{"name":"shape","sides":"four","edge":2},{"name":"shape","sides":0}]"#
    )
    let twice = Odd { encoder in
      var object = encoder.container(keyedBy: Keys.self)
      try object.encode([1: 2], forKey: .a)
      try object.encodeNil(forKey: .b)
      try object.encode(3, forKey: .a)
      try object.encode("x", forKey: .b)
      try object.encode(Set([2, 1]), forKey: .b)
    }
    #expect(try encoded(twice) == #"{"a":3,"b":[1,2]}"#)
    #expect(try encoded(["x": twice]) == #"{"x":{"a":3,"b":[1,2]}}"#)
  }

  @Test func `adds to the container that already has it`() throws {
    let value = Odd { encoder in
      var object = encoder.container(keyedBy: Keys.self)
      var one = object.nestedContainer(keyedBy: Keys.self, forKey: .a)
      try one.encode(1, forKey: .a)
      var other = object.nestedContainer(keyedBy: Keys.self, forKey: .a)
      try other.encode(2, forKey: .b)
      try one.encode(3, forKey: .c)
      var list = object.nestedUnkeyedContainer(forKey: .b)
      try list.encode(1)
      list = object.nestedUnkeyedContainer(forKey: .b)
      try list.encode(2)
    }
    #expect(try encoded(value) == #"{"a":{"a":1,"b":2,"c":3},"b":[1,2]}"#)
  }

  @Test func `may be that of super, and of a value that was left out`() throws {
    let value = Odd { encoder in
      var object = encoder.container(keyedBy: Keys.self)
      try 1.encode(to: object.superEncoder())
      try? object.encode(Double.nan, forKey: .a)
      try? object.encode([Double.infinity], forKey: .a)
      try object.encode(2, forKey: .a)
      try 3.encode(to: object.superEncoder())
    }
    #expect(try encoded(value) == #"{"a":2,"super":3}"#)
  }

  @Test(arguments: 0..<60) func `gives what JSONEncoder gives`(seed: UInt64) throws {
    let value = Odd { encoder in
      var numbers = SystemNumbers(state: seed)
      try fill(encoder, depth: 0, &numbers)
    }
    let ours = try StrictJSON.encode(["v": value])
    // Refuses a name that is there twice.
    _ = try JSONDocument(ours)
    let theirs = try JSONEncoder().encode(["v": value])
    let reader = JSONDecoder()
    #expect(
      try reader.decode(Tree.self, from: Data(ours)) == reader.decode(Tree.self, from: theirs)
    )
  }

  private func fill(_ encoder: any Encoder, depth: Int, _ numbers: inout SystemNumbers) throws {
    var fixed = encoder.container(keyedBy: Keys.self)
    var free = encoder.container(keyedBy: FreeKey.self)
    for _ in 0..<Int.random(in: 0...9, using: &numbers) {
      let key = Keys.allCases.randomElement(using: &numbers) ?? .a
      let number = Int.random(in: 0...99, using: &numbers)
      // A name always stands for the same kind of value: JSONEncoder would end the process.
      switch key {
      case .a where depth < 3:
        try fill(fixed.superEncoder(forKey: key), depth: depth + 1, &numbers)
      case .b, .longName:
        var nested = fixed.nestedContainer(keyedBy: FreeKey.self, forKey: key)
        try nested.encode(number, forKey: FreeKey(stringValue: "n\(number % 5)"))
      case .c:
        var list = free.nestedUnkeyedContainer(forKey: FreeKey(stringValue: "c"))
        try list.encode(number)
      case .ac: try free.encode(number, forKey: FreeKey(stringValue: "ac"))
      case .bc: try free.encode(number, forKey: FreeKey(stringValue: "f\(number % 7)"))
      default: try fixed.encode(number, forKey: key)
      }
    }
  }

  @Test func `is found among many`() throws {
    let names = (0..<500).map { "name \($0 * 7 % 500)" }
    let value = Odd { encoder in
      var object = encoder.container(keyedBy: FreeKey.self)
      for (index, name) in (names + names.reversed()).enumerated() {
        try object.encode(index, forKey: FreeKey(stringValue: name))
      }
    }
    let table = Dictionary(uniqueKeysWithValues: names.enumerated().map { ($1, 999 - $0) })
    #expect(try encoded(value) == encoded(table))
  }
}

/// SplitMix64.
private struct SystemNumbers: RandomNumberGenerator {
  var state: UInt64
  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = (state ^ state >> 30) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
    return mixed ^ mixed >> 31
  }
}
