import Foundation
import FusionStrictJSON
import Testing

private struct Point: Codable, Hashable { var x: Int }

private enum Visitor: Codable, Hashable {
  case guest
  case member(id: Int)
}

/// A type that writes a value among others out of order, so that the value is encoded a second time.
private struct OutOfOrder<Value: Encodable>: Encodable {
  let value: Value
  enum Keys: CodingKey { case first, value, last }

  func encode(to encoder: any Encoder) throws {
    var object = encoder.container(keyedBy: Keys.self)
    var first = object.nestedUnkeyedContainer(forKey: .first)
    try object.encode(value, forKey: .value)
    try first.encode(1)
    try object.encode(2, forKey: .last)
  }
}

/// A type that hands its encoder on to a dictionary.
private struct Direct<Key: Codable & Hashable>: Encodable {
  let table: [Key: Int]
  func encode(to encoder: any Encoder) throws { try table.encode(to: encoder) }
}

struct `A collection without an order` {
  private func expect<Value: Encodable>(_ value: Value, _ text: String) throws {
    #expect(try encoded(value) == text)
    #expect(try encoded([value, value]) == "[\(text),\(text)]")
    #expect(try encoded(OutOfOrder(value: value)) == #"{"first":[1],"value":\#(text),"last":2}"#)
  }

  @Test func `is written in the order of its elements' bytes`() throws {
    try expect(Set([10, 9, -1, 1]), "[-1,1,10,9]")
    try expect(Set(["b", "a b", "é", "a"]), #"["a b","a","b","é"]"#)
    try expect(Set([Set([3, 1]), Set(), Set([2])]), "[[1,3],[2],[]]")
    try expect(
      Set([Visitor.member(id: 2), .guest, .member(id: 1)]),
      #"["guest",{"member":{"id":1}},{"member":{"id":2}}]"#
    )
    try expect(Set<Int?>([nil, 3]), "[3,null]")
    try expect(["s": Set([Point(x: 2), Point(x: 1)])], #"{"s":[{"x":1},{"x":2}]}"#)
    try expect(Set<UInt8>(), "[]")
  }

  @Test func `with keys that have no names is written in the order of the keys' bytes`() throws {
    try expect([Point(x: 2): "b", Point(x: 1): "a"], #"[{"x":1},"a",{"x":2},"b"]"#)
    try expect([2.5: [Point(x: 1): 1], 10: [:]], #"[10,[],2.5,[{"x":1},1]]"#)
    try expect(
      [Date(timeIntervalSince1970: 1): Set([2, 1]), Date(timeIntervalSince1970: 0): []],
      #"["1970-01-01T00:00:00.000Z",[],"1970-01-01T00:00:01.000Z",[1,2]]"#
    )
    try expect([Visitor.member(id: 1): 1, .guest: 2], #"["guest",2,{"member":{"id":1}},1]"#)
    try expect([[2, 1]: true, []: false, [1]: nil], "[[1],null,[2,1],true,[],false]")
  }

  @Test func `has the same text whatever its order in memory`() throws {
    let numbers = (0..<60).map { $0 * 7919 % 1_000 }
    let texts = Set(
      (0..<10).map { count in
        var set = Set<Int>(minimumCapacity: 1 << count)
        for number in numbers { set.insert(number + count - count) }
        var table: [Point: Set<Int>] = Dictionary(minimumCapacity: 1 << count)
        for number in numbers.prefix(5) { table[Point(x: number)] = set }
        return (try? encoded([table])) ?? ""
      }
    )
    #expect(texts.count == 1 && texts != [""])
    let set = Set(numbers)
    #expect(try encoded(set) == "[\(set.map(String.init).sorted().joined(separator: ","))]")
  }

  @Test func `can be read back`() throws {
    let set: Set<Visitor> = [.guest, .member(id: 3), .member(id: 1)]
    #expect(try decode(Set<Visitor>.self, encoded(set)) == set)
    let table = [Point(x: 3): set, Point(x: 1): []]
    #expect(try decode([Point: Set<Visitor>].self, encoded(table)) == table)
  }

  @Test func `that a type encodes by itself is sorted if its keys are names`() throws {
    try expect(Direct(table: ["b": 1, "c": 2, "a": 3]), #"{"a":3,"b":1,"c":2}"#)
    try expect(
      Direct(table: [10: 1, 2: 2, 1: 3]),
      #"{"1":3,"10":1,"2":2}"#
    )
  }

  @Test func `has names in the order of their bytes`() throws {
    struct Name: RawRepresentable, Codable, Hashable {
      var rawValue: String
      static func == (a: Self, b: Self) -> Bool { Array(a.rawValue.utf8) == Array(b.rawValue.utf8) }
      func hash(into hasher: inout Hasher) { hasher.combine(Array(rawValue.utf8)) }
    }
    let names = ["z", "\u{e9}", "e\u{301}", "a b", "a", "", "a\"", "ﬀ", "🤖"]
    let sorted = names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    let table = Dictionary(uniqueKeysWithValues: names.map { (Name(rawValue: $0), 1) })
    let members = try sorted.map { "\(try encoded($0)):1" }
    #expect(try encoded(table) == "{\(members.joined(separator: ","))}")
  }

  @Test func `never has two keys with the same text`() throws {
    let (one, other) = (Date(timeIntervalSince1970: 0), Date(timeIntervalSince1970: 0.0001))
    #expect(throws: EncodingError.self) { try encoded([one: 1, other: 2]) }
    #expect(throws: EncodingError.self) { try encoded(OutOfOrder(value: [one: 1, other: 2])) }
    #expect(try encoded(Set([one, other])) == #"["1970-01-01T00:00:00.000Z"]"#)
    struct Folded: RawRepresentable, Codable, Hashable {
      var number: Int
      var rawValue: String { "n\(number % 2)" }
      init(number: Int) { self.number = number }
      init?(rawValue: String) { number = rawValue == "n0" ? 0 : 1 }
      static func == (a: Self, b: Self) -> Bool { a.number == b.number }
      func hash(into hasher: inout Hasher) { hasher.combine(number) }
    }
    #expect(throws: EncodingError.self) {
      try encoded([Folded(number: 1): 1, Folded(number: 3): 2])
    }
  }
}
