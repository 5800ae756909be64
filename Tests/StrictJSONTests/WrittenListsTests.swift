import Foundation
import FusionStrictJSON
import Testing
import UIFusionKit

private enum Payload: Codable {
  case number(Int)
  case text(String)
}

private enum Short: Codable {
  case none
  case some(Int8)
}

private final class Shared: Encodable {
  var number = 0
}

private struct Address: Encodable {
  let place: UnsafeMutablePointer<Int>
  func encode(to encoder: any Encoder) throws {
    var value = encoder.singleValueContainer()
    try value.encode(place.pointee)
  }
}

private struct Tree: Encodable {
  var children: [Tree]
}

/// A type imported from C, whose fields reflection may not list completely.
private struct FromC: Encodable {
  var parts = lldiv(7, 2)
  func encode(to encoder: any Encoder) throws {
    var value = encoder.singleValueContainer()
    try value.encode(parts.quot)
  }
}

/// An element with padding between its properties and after them.
private struct Padded: Encodable {
  var flag: Bool
  var number: Int
  var sort: Color?
  var list: [Int32]
  var table: [String: Double?]
  var names: Set<String>
  var small: Int8
}

private struct Part: Encodable, Identifiable {
  let id: Int
  var size = 1.0
}

struct `A list that was written before` {
  @Test func `is copied except for the changed elements`() throws {
    #expect(try asked(1) == 0)
    #expect(try asked(1, 2) == 1)
    #expect(try asked("a name that is not held in place", "another") == 1)
    #expect(try asked([1, 2], [1]) == 1)
    #expect(try asked(["a": ["b"]], ["a": ["c"]]) == 1)
    #expect(try asked(Optional("x"), .some(nil)) == 1)
    #expect(try asked(0.0, -0.0) == 1)
    #expect(try asked(Color?.none) == 100)  // Not of whole words.
    #expect(try asked(Date(timeIntervalSince1970: 0), Date(timeIntervalSince1970: 1)) == 1)
    #expect(try asked(UUID(), UUID()) == 1)
  }

  @Test func `is copied whatever the padding between its elements' properties`() throws {
    let element = Padded(
      flag: true,
      number: 7,
      sort: .red,
      list: [1],
      table: ["a": 1, "b": nil],
      names: ["x"],
      small: 1
    )
    var other = element
    other.small = 2
    #expect(try asked(element, other) == 1)
    other = element
    other.sort = nil
    #expect(try asked(element, other) == 1)
  }

  @Test func `is written in full if bits do not determine its elements`() throws {
    struct Both<Content: Encodable>: Encodable {
      var number = 0
      var content: Content
    }
    struct Weak: Encodable {
      var number = 0
      weak var shared: Shared?
      func encode(to encoder: any Encoder) throws { try Shared().encode(to: encoder) }
    }
    #expect(try asked(Shared()) == 100)
    #expect(try asked([Shared()]) == 100)
    #expect(try asked(["a": Shared()]) == 100)
    #expect(try asked(Both(content: Optional(Shared()))) == 100)
    #expect(try asked(Weak()) == 100)
    #expect(try asked(FromC()) == 100)
    #expect(try asked(Data([1])) == 100)
    #expect(try asked(Tree(children: [Tree(children: [])])) == 100)
    #expect(try asked(Payload.text("x")) == 100)
    #expect(try asked([Payload.number(1)]) == 100)
    #expect(try asked(Both(content: Short.some(1))) == 0)
    let place = UnsafeMutablePointer<Int>.allocate(capacity: 1)
    place.initialize(to: 0)
    defer { place.deallocate() }
    #expect(try asked(Address(place: place)) == 100)
    #expect(try asked(Both(content: [Address(place: place)])) == 100)
  }

  @Test func `notices an object that has changed inside`() throws {
    let shared = (0..<64).map { _ in Shared() }
    var writer = ListWriter()
    _ = try writer.write(shared)
    shared[40].number = 7
    #expect(try writer.write(shared) == encoded(shared))
  }

  @Test func `notices an object that has changed inside an otherwise equal element`() throws {
    struct Holder: Encodable, Identifiable {
      let id: Int
      var content = [Shared()]
    }
    let holders = IdentifiedArray((0..<64).map { Holder(id: $0) })
    var writer = ListWriter()
    _ = try writer.write(holders)
    holders[id: 40]?.content.first?.number = 7
    #expect(try writer.write(holders) == encoded(holders))
  }

  @Test func `with Foundation's values is written again only around changed elements`() throws {
    struct Link: Encodable, Identifiable {
      let id: Int
      var data = Data([1])
      var url = URL(string: "https://example.org/")
      func encode(to encoder: any Encoder) throws {
        Asked.note()
        try data.encode(to: encoder)
      }
    }
    var links = IdentifiedArray((0..<64).map { Link(id: $0) })
    var writer = ListWriter()
    _ = try writer.write(links)
    links[id: 40]?.data = Data([2])
    let (text, asked) = try Asked.times { try writer.write(links) }
    #expect(try text == encoded(links) && asked == 16)
  }

  @Test func `names the element that cannot be encoded`() throws {
    var parts = IdentifiedArray((0..<1_000).map { Part(id: $0) })
    var writer = ListWriter()
    _ = try writer.write(["parts": parts])
    parts[id: 993]?.size = .nan
    let error = #expect(throws: EncodingError.self) { try writer.write(["parts": parts]) }
    guard case .invalidValue(_, let context)? = error else { return }
    #expect(context.codingPath.map(\.stringValue) == ["parts", "993", "size"])
    parts[id: 993]?.size = 2
    #expect(try writer.write(["parts": parts]) == encoded(["parts": parts]))
  }

  @Test func `may follow an element that is already in the same array`() throws {
    struct Headed: Encodable {
      var parts: IdentifiedArray<Part>
      func encode(to encoder: any Encoder) throws {
        var array = encoder.unkeyedContainer()
        try array.encode("header")
        var value = encoder.singleValueContainer()
        try value.encode(parts)
      }
    }
    let value = Headed(parts: IdentifiedArray((0..<64).map { Part(id: $0) }))
    var writer = ListWriter()
    for _ in 0..<3 { #expect(try writer.write(value) == encoded(value)) }
  }

  @Test func `is written in full if a type notes something beside the text`() throws {
    var count: UInt64 = 0
    let elements = Array(repeating: Element(content: 1), count: 100)
    var writer = ListWriter(notes: {
      count += 1
      return count
    })
    _ = try writer.write(elements)
    #expect(try Asked.times { try writer.write(elements) }.count == 100)
  }

  @Test func `is copied even if elements are inserted or removed`() throws {
    var elements = (0..<100).map { Element(content: "\($0)") }
    var writer = ListWriter()
    func expect(_ count: Int) throws {
      let (text, asked) = try Asked.times { try writer.write(elements) }
      #expect(try text == encoded(elements))
      #expect(asked == count)
    }
    try expect(100)
    elements.append(Element(content: "end"))
    try expect(1)
    elements.insert(Element(content: "start"), at: 0)
    try expect(1)
    elements.insert(Element(content: "middle"), at: 50)
    try expect(1)
    elements.remove(at: 20)
    try expect(0)
    elements.swapAt(10, 80)
    try expect(2)
    elements.removeAll()
    try expect(0)
  }
}
