import Foundation
import FusionStrictJSON
import Synchronization
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

private struct AnyPart: Encodable {
  let part: any Encodable & Sendable
  func encode(to encoder: any Encoder) throws { try part.encode(to: encoder) }
}

private struct Part: Encodable, Identifiable {
  let id: Int
  var size = 1.0
}

private struct Lists<Content: Encodable>: Encodable {
  var plain: [Content]
  var identified: IdentifiedArray<Element<Content>>
}

struct `A list that was written before` {
  @Test func `is copied except for the pieces around changed elements`() throws {
    #expect(try asked(1) == 0)
    #expect(try asked(1, 2) == 16)
    #expect(try asked("a name that is not held in place", "another") == 16)
    #expect(try asked([1, 2], [1]) == 16)
    #expect(try asked(["a": ["b"]], ["a": ["c"]]) == 16)
    #expect(try asked(Set([1]), Set([2])) == 16)
    #expect(try asked(Optional("x"), .some(nil)) == 16)
    #expect(try asked(0.0, -0.0) == 16)
    #expect(try asked(Color?.none) == 0)
    #expect(try asked(Date(timeIntervalSince1970: 0), Date(timeIntervalSince1970: 1)) == 16)
    #expect(try asked(Payload.text("x"), .number(1)) == 16)
    #expect(try asked(Data([1])) == 0)
  }

  @Test func `is written in full if its elements may hold objects`() throws {
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
    #expect(try asked(Both(content: Short.some(1))) == 0)
    #expect(try asked(AnyPart(part: Part(id: 1))) == 100)
    #expect(try asked(Both(content: AnyPart(part: Part(id: 1)))) == 100)
    let place = UnsafeMutablePointer<Int>.allocate(capacity: 1)
    place.initialize(to: 0)
    defer { place.deallocate() }
    #expect(try asked(Address(place: place)) == 100)
    #expect(try asked(Both(content: [Address(place: place)])) == 100)
  }

  @Test func `may hold any of Foundation's values`() throws {
    try expectSame { TimeZone(secondsFromGMT: $0 * 60) }
    try expectSame { Locale(identifier: $0 % 2 == 0 ? "de" : "fr") }
    try expectSame { Calendar(identifier: $0 % 2 == 0 ? .gregorian : .hebrew) }
    try expectSame { DateComponents(timeZone: TimeZone(secondsFromGMT: 0), day: $0) }
    try expectSame { DateInterval(start: Date(timeIntervalSince1970: 0), duration: Double($0)) }
    try expectSame { AnyPart(part: Part(id: $0)) }
  }

  /// Expects the same text from lists that are written after each other as from each alone.
  private func expectSame<Content: Encodable>(_ content: (Int) -> Content) throws {
    let contents = (0..<100).map(content)
    var lists = Lists(plain: contents, identified: elements(contents))
    var writer = ListWriter()
    #expect(try writer.write(lists) == encoded(lists))
    lists.plain[40] = content(1)
    lists.identified[id: 40]?.content = content(1)
    #expect(try writer.write(lists) == encoded(lists))
  }

  @Test func `that is a plain array is written anew, whatever its elements read`() throws {
    final class Rate: Sendable { static let percent = Mutex(10) }
    struct Price: Encodable {
      var net: Int
      func encode(to encoder: any Encoder) throws {
        var value = encoder.singleValueContainer()
        try value.encode(net * Rate.percent.withLock { $0 })
      }
    }
    let prices = Array(repeating: Price(net: 2), count: 1_000)
    var writer = ListWriter()
    _ = try writer.write(prices)
    Rate.percent.withLock { $0 = 20 }
    #expect(try writer.write(prices) == encoded(prices))
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
    let elements = elements(Array(repeating: 1, count: 100))
    var writer = ListWriter(notes: {
      count += 1
      return count
    })
    _ = try writer.write(elements)
    #expect(try Asked.times { try writer.write(elements) }.count == 100)
  }
}
