import FusionStrictJSON
import Testing
import UIFusionKit

/// Checks the texts of values written one after another, and how many elements of each are asked to encode
/// themselves.
private func isCopied<Value: Encodable>(_ values: [Value], asked counts: [Int]) throws {
  var writer = ListWriter()
  for (value, count) in zip(values, counts) {
    let (text, asked) = try Asked.times { try writer.write(value) }
    #expect(try text == encoded(value))
    #expect(asked == count)
  }
}

private typealias Items = IdentifiedArray<Element<String>>

private let items = elements((0..<100).map(String.init))

private func items(changing index: Int) -> Items {
  var items = items
  items[id: index]?.content = "changed"
  return items
}

struct `The position of a list that was written before` {
  private enum Screen: Encodable {
    case loading
    case loaded(Items)
    case labelled(name: Int, items: Items)
  }

  private struct Twice<Value: Encodable>: Encodable {
    var one: Value
    var other: Value
  }

  @Test func `is known in an enum, whose text is shortened`() throws {
    let values = [items, items(changing: 3), items]
    try isCopied(values.map { Screen.loaded($0) }, asked: [100, 16, 16])
    try isCopied(values.map { Screen.labelled(name: 1, items: $0) }, asked: [100, 16, 16])
    try isCopied(values.map { [Screen.loading, .loaded($0)] }, asked: [100, 16, 16])
    try isCopied(values.map { Optional(Screen.loaded($0)) }, asked: [100, 16, 16])
    try isCopied(
      values.map { Twice(one: .loaded(items), other: .loaded($0)) as Twice<Screen> },
      asked: [200, 16, 16]
    )
    try isCopied(values.map { Nested(levels: 3, value: Screen.loaded($0)) }, asked: [100, 16, 16])
  }

  @Test func `may change from one value to the next`() throws {
    let (one, other) = (items, items(changing: 99))
    let values = [Twice(one: one, other: other), Twice(one: other, other: one)]
    try isCopied(values, asked: [200, 8])
    try isCopied([["a": one], ["a": other, "b": one], ["b": one]], asked: [100, 104, 4])
  }

  @Test func `is known only for lists with enough elements`() throws {
    let (short, long) = (IdentifiedArray(items.prefix(31)), IdentifiedArray(items.prefix(32)))
    try isCopied([short, short], asked: [31, 31])
    try isCopied([long, long], asked: [32, 0])
  }

  /// A value within several arrays.
  private struct Nested<Value: Encodable>: Encodable {
    var levels: Int
    var value: Value
    func encode(to encoder: any Encoder) throws {
      guard levels > 0 else { return try encode(to: encoder.singleValueContainer()) }
      var array = encoder.unkeyedContainer()
      try array.encode(Nested(levels: levels - 1, value: value))
    }
    private func encode(to container: any SingleValueEncodingContainer) throws {
      var container = container
      try container.encode(value)
    }
  }

  @Test func `counts towards the limit on nesting`() throws {
    let lists = elements(Array(repeating: [[0]], count: 40))
    let levels = try #require(
      (0..<1_000).first { levels in
        (try? encoded(Nested(levels: levels, value: lists))) == nil
      }
    )
    var writer = ListWriter()
    _ = try writer.write(Nested(levels: levels - 1, value: lists))
    #expect(throws: EncodingError.self) {
      try writer.write(Nested(levels: levels, value: lists))
    }
  }

  @Test func `may follow elements that its type has written to the same array`() throws {
    struct Prefixed: Encodable {
      var first: Int?
      var elements: IdentifiedArray<Element<Int>>
      func encode(to encoder: any Encoder) throws {
        if let first {
          var list = encoder.unkeyedContainer()
          try list.encode(first)
        }
        var value = encoder.singleValueContainer()
        try value.encode(elements)
      }
    }
    var value = Prefixed(first: 1, elements: elements(Array(0..<40)))
    var writer = ListWriter()
    for first in [1, nil, 2, 3] {
      value.first = first
      #expect(try writer.write(value) == encoded(value))
    }
  }

  @Test func `is correct if a type writes to its containers alternately`() throws {
    struct InTurns: Encodable {
      var elements: IdentifiedArray<Element<Int>>
      func encode(to encoder: any Encoder) throws {
        var list = encoder.unkeyedContainer()
        var one = list.nestedUnkeyedContainer()
        var other = list.nestedUnkeyedContainer()
        try one.encode(0)
        try other.encode(elements)
        try one.encode(elements)
      }
    }
    var value = InTurns(elements: elements(Array(0..<40)))
    var writer = ListWriter()
    for element in 0..<4 {
      value.elements[id: element]?.content = 100
      #expect(try writer.write(value) == encoded(value))
    }
  }

  @Test func `is correct after a member that was removed`() throws {
    struct Reading: Encodable {
      var values: IdentifiedArray<Element<Int>>
      var last: Double
    }
    struct Tried: Encodable {
      var reading: Reading
      enum Keys: CodingKey { case one, other }
      func encode(to encoder: any Encoder) throws {
        var object = encoder.container(keyedBy: Keys.self)
        try? object.encode(reading, forKey: .one)
        try object.encode(reading.values, forKey: .other)
      }
    }
    var value = Tried(reading: Reading(values: elements(Array(0..<40)), last: .nan))
    var writer = ListWriter()
    for last in [1, .nan, 2, 3] {
      #expect(try writer.write(value) == encoded(value))
      value.reading.last = last
    }
  }

  @Test func `is part of an error's path, as in a list that is written in full`() throws {
    var values = elements(Array(repeating: 1.5, count: 100))
    var writer = ListWriter()
    _ = try writer.write(values)
    values[id: 70]?.content = .nan
    let paths = [
      #expect(throws: EncodingError.self) { try writer.write(values) },
      #expect(throws: EncodingError.self) { try encoded(values) },
    ].map { error -> [Int?] in
      guard case .invalidValue(_, let context)? = error else { return [] }
      return context.codingPath.map(\.intValue)
    }
    #expect(paths == [[70], [70]])
  }

  @Test func `is forgotten after a value that cannot be encoded`() throws {
    struct Reading: Encodable { var values: IdentifiedArray<Element<Double>> }
    var reading = Reading(values: elements(Array(repeating: 1.5, count: 40)))
    var writer = ListWriter()
    _ = try writer.write(reading)
    reading.values[id: 20]?.content = .nan
    #expect(throws: EncodingError.self) { try writer.write(reading) }
    reading.values[id: 20]?.content = 2
    #expect(try writer.write(reading) == encoded(reading))
  }
}
