import Foundation
import FusionStrictJSON
import Testing

enum Level: Int, Codable { case low = 1, high = 10 }

private enum Suit: String, Codable { case hearts, clubs = "♣" }

private struct Place: RawRepresentable, Codable, Hashable { var rawValue: String }

private struct Point: Codable, Hashable { var x: Int }

/// A key with a name of its own.
private struct Shelf: Codable, Hashable, CodingKeyRepresentable {
  var number: Int
  init(number: Int) { self.number = number }
  var codingKey: any CodingKey { Name(stringValue: "shelf \(number)") }
  init?(codingKey: some CodingKey) {
    guard let number = codingKey.stringValue.split(separator: " ").last.flatMap({ Int($0) }) else {
      return nil
    }
    self.init(number: number)
  }
  struct Name: CodingKey {
    var stringValue: String
    var intValue: Int? { nil }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }
}

struct `A dictionary` {
  private func check<T: Codable & Equatable>(_ value: T, _ text: String) throws {
    #expect(try encoded(value) == text)
    #expect(try decode(T.self, text) == value)
  }

  @Test func `whose keys have names is an object, in the order of the names`() throws {
    let id = try #require(UUID(uuidString: "0F1E2D3C-4B5A-6978-8796-A5B4C3D2E1F0"))
    try check(["b": 1, "a": 2], #"{"a":2,"b":1}"#)
    try check([Suit.hearts: 1, .clubs: 2], #"{"hearts":1,"♣":2}"#)
    try check([Place(rawValue: "x"): 1], #"{"x":1}"#)
    try check([Level.low: true, .high: false], #"{"1":true,"10":false}"#)
    try check([id: "a"], #"{"0F1E2D3C-4B5A-6978-8796-A5B4C3D2E1F0":"a"}"#)
    try check([3: "c", -1: "a"], #"{"-1":"a","3":"c"}"#)
    try check([UInt8.max: 1.5], #"{"255":1.5}"#)
    try check([Int128.min: Int128.max], #"{"\#(Int128.min)":\#(Int128.max)}"#)
    try check([Shelf(number: 3): 1], #"{"shelf 3":1}"#)
  }

  @Test func `has the same form at every depth`() throws {
    struct State: Codable, Equatable {
      var seen: [Suit: [Int64: Date?]]
      var empty: [UUID: Int]
    }
    try check(
      State(seen: [.hearts: [7: Date(timeIntervalSince1970: 0), 8: nil]], empty: [:]),
      #"{"seen":{"hearts":{"7":"1970-01-01T00:00:00.000Z","8":null}},"empty":{}}"#
    )
    enum Input: Codable, Equatable { case set([Suit: Int]), all(levels: [Level: Int]?) }
    #expect(try decodeInput(Input.self, #"{"set":{"hearts":1}}"#) == .set([.hearts: 1]))
    #expect(try decodeInput(Input.self, #"{"set":{}}"#) == .set([:]))
    #expect(try decodeInput(Input.self, #"{"all":{"levels":{"1":2}}}"#) == .all(levels: [.low: 2]))
  }

  @Test func `is read in the form that earlier versions stored`() throws {
    #expect(try decode([Suit: Int].self, #"["hearts",1,"♣",2]"#) == [.hearts: 1, .clubs: 2])
    #expect(try decode([Int64: [UUID: Int]].self, #"[5,[]]"#) == [5: [:]])
    let error = failure { () throws(JSONError) in
      try decodeInput([Suit: Int].self, #"["hearts",1]"#)
    }
    #expect(error?.reason == "expected an object, found an array")
  }

  @Test func `with other keys is a list of alternating keys and values`() throws {
    try check([Point(x: 1): "a"], #"[{"x":1},"a"]"#)
  }

  @Test(arguments: ["01", "+1", "-0", "1.0", "1e2", "", " 1", "256", "-1", "x", "١"])
  func `with integer keys refuses names in another form than its own`(name: String) {
    let text = #"{"ticks":{"1":0,"\#(name)":1}}"#
    let error = failure { () throws(JSONError) in try decode([String: [UInt8: Int]].self, text) }
    #expect(error?.kind == .typeMismatch && error?.member == "ticks.\(name)")
    #expect(error?.reason == "expected an integer (UInt8) as the name of a member, found '\(name)'")
    #expect(error?.offset == 16)
  }

  @Test func `with an enum's cases as keys refuses other names`() {
    let error = failure { () throws(JSONError) in try decode([Suit: Int].self, #"{"spades":1}"#) }
    #expect(error?.kind == .typeMismatch && error?.member == "spades")
    #expect(error?.reason == "'spades' is not among the names allowed here")
    let code = failure { () throws(JSONError) in try decode([Shelf: Int].self, #"{"box 3":1}"#) }
    #expect(code?.member == "box 3")
  }

  @Test func `refuses two names for one key`() {
    let id = "0F1E2D3C-4B5A-6978-8796-A5B4C3D2E1F0"
    for text in [#"{"\#(id)":1,"\#(id.lowercased())":2}"#, #"{"a":1,"\#(id)":2}"#] {
      let error = failure { () throws(JSONError) in try decode([UUID: Int].self, text) }
      #expect(error?.kind == .typeMismatch && error?.member != nil)
    }
    let names = #"{"e\u0301":1,"\u00e9":2}"#
    let error = failure { () throws(JSONError) in try decode([String: Int].self, names) }
    #expect(error?.reason == "'é' is the name of one key together with another member's")
  }

  @Test func `names the member whose value is invalid`() {
    let error = failure { () throws(JSONError) in
      try decode([Suit: [Level: Int]].self, #"{"hearts":{"10":"x"}}"#)
    }
    #expect(error?.member == "hearts.10")
    #expect(error?.reason == "expected an integer, found 'x'")
  }
}
