import FusionStrictJSON
import Testing
import UIFusionKit

private struct Cart: Codable, Equatable, MemberDeriving {
  @Private var cost = 3
  var lines = [
    Purchase(name: "tea", margin: Private(1)), Purchase(name: "milk", margin: Private(2)),
  ]
  var lists: [[Private<Int>]] = [[], [Private(4)]]
  var byName = ["a": Private(5)]
  var note: Private<String>?
  var last = Choice.kept(Private(6))

  struct Derived: Codable { var count: Int }
  var derived: Derived { Derived(count: lines.count) }

  struct Purchase: Codable, Equatable, MemberDeriving {
    var name: String
    @Private var margin: Int

    init(name: String, margin: Private<Int>) {
      (self.name, _margin) = (name, margin)
    }

    struct Derived: Codable { var label: String }
    var derived: Derived { Derived(label: name.uppercased()) }
  }

  enum Choice: Codable, Equatable { case kept(Private<Int>) }
}

/// Encodes its private value in one of several ways.
struct Unwrapping: Encodable {
  enum Way: CaseIterable { case single, encoder }
  let way: Way
  @Private var answer = 4242

  init(way: Way) { self.way = way }

  func encode(to encoder: any Encoder) throws {
    switch way {
    case .encoder: try _answer.encode(to: encoder)
    case .single:
      var container = encoder.singleValueContainer()
      try container.encode(_answer)
    }
  }
}

/// Encodes its private value to a super encoder beside its members.
private struct Beside: Encodable {
  enum CodingKeys: CodingKey { case name, answer }
  @Private var answer = 4242

  func encode(to encoder: any Encoder) throws {
    var object = encoder.container(keyedBy: CodingKeys.self)
    try object.encode("a", forKey: .name)
    try _answer.encode(to: object.superEncoder(forKey: .answer))
  }
}

/// Encodes its members to two containers alternately.
private struct Interleaved: Encodable {
  enum CodingKeys: CodingKey { case a, b, c }

  func encode(to encoder: any Encoder) throws {
    var object = encoder.container(keyedBy: CodingKeys.self)
    var list = object.nestedUnkeyedContainer(forKey: .a)
    try list.encode(1)
    try object.encode(Private(2), forKey: .b)
    try object.encode(3, forKey: .c)
    try list.encode(4)
  }
}

struct `The audience of a value` {
  private func text(
    _ value: some Encodable,
    for audience: Audience
  ) throws -> String {
    String(decoding: try StrictJSON.encode(value, for: audience), as: UTF8.self)
  }

  @Test func `is the store, which gets every stored member`() throws {
    let text = try text(Cart(), for: .store)
    #expect(
      text == """
        {"cost":3,"lines":[{"name":"tea","margin":1},{"name":"milk","margin":2}],\
        "lists":[[],[4]],"byName":{"a":5},"note":null,"last":{"kept":6}}
        """
    )
    #expect(try StrictJSON.decode(Cart.self, from: Array(text.utf8)) == Cart())
  }

  @Test func `is a client, which gets derived members, but no private ones`() throws {
    #expect(
      try text(Cart(), for: .clients) == """
        {"lines":[{"name":"tea","label":"TEA"},{"name":"milk","label":"MILK"}],\
        "byName":{},"last":"kept","count":2}
        """
    )
  }

  @Test func `is a trace, which gets dots for private members, and no derived ones`() throws {
    #expect(
      try text(Cart(), for: .traces) == """
        {"cost":"••••","lines":[{"name":"tea","margin":"••••"},{"name":"milk","margin":"••••"}],\
        "lists":"••••","byName":{"a":"••••"},"note":"••••","last":{"kept":"••••"}}
        """
    )
  }

  @Test func `learns nothing about private values from lists or nil`() throws {
    let none = Cart(lists: [], note: nil)
    let some = Cart(lists: [[Private(1)]], note: Private("a"))
    for audience in [Audience.clients, .traces] {
      #expect(try text(none, for: audience) == text(some, for: audience))
    }
  }

  @Test(arguments: Unwrapping.Way.allCases)
  func `gets no private value that a type encodes without its wrapper`(way: Unwrapping.Way) throws {
    let value = ["a": Unwrapping(way: way)]
    #expect(try text(value, for: .store) == #"{"a":4242}"#)
    #expect(try text(value, for: .clients) == "{}")
    #expect(try text(value, for: .traces) == #"{"a":"••••"}"#)
  }

  @Test func `gets no value at all rather than a private one`() throws {
    #expect(try text([Beside()], for: .store) == #"[{"name":"a","answer":4242}]"#)
    #expect(try text(["a": Beside(), "b": nil], for: .clients) == #"{"b":null}"#)
    #expect(throws: (any Error).self) { try text(Beside(), for: .clients) }
  }

  @Test func `is the same for containers that are written alternately`() throws {
    #expect(try text(Interleaved(), for: .clients) == #"{"a":[1,4],"c":3}"#)
    #expect(try text(Interleaved(), for: .store) == #"{"a":[1,4],"b":2,"c":3}"#)
  }
}
