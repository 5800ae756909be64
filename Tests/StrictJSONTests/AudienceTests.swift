import FusionStrictJSON
import Testing
import UIFusionKit

private struct Cart: Codable, Equatable, MemberDeriving {
  @Private var cost = 3
  var lines = [Row(name: "tea", margin: Private(1)), Row(name: "milk", margin: Private(2))]
  var lists: [[Private<Int>]] = [[], [Private(4)]]
  var byName = ["a": Private(5)]
  var note: Private<String>?
  var last = Choice.kept(Private(6))

  struct Derived: Codable { var count: Int }
  var derived: Derived { Derived(count: lines.count) }

  struct Row: Codable, Equatable, MemberDeriving {
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

/// Writes its members to two containers in turns.
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

struct `The reader for whom a value is written` {
  private func text(
    _ value: some Encodable,
    for audience: Audience
  ) throws -> String {
    String(decoding: try StrictJSON.encode(value, for: audience), as: UTF8.self)
  }

  @Test func `is the store, which gets all and nothing more`() throws {
    let text = try text(Cart(), for: .store)
    #expect(
      text == """
        {"cost":3,"lines":[{"name":"tea","margin":1},{"name":"milk","margin":2}],\
        "lists":[[],[4]],"byName":{"a":5},"note":null,"last":{"kept":6}}
        """
    )
    #expect(try StrictJSON.decode(Cart.self, from: Array(text.utf8)) == Cart())
  }

  @Test func `is a client, who gets no private members, and derived ones`() throws {
    #expect(
      try text(Cart(), for: .clients) == """
        {"lines":[{"name":"tea","label":"TEA"},{"name":"milk","label":"MILK"}],\
        "byName":{},"note":null,"last":"kept","count":2}
        """
    )
  }

  @Test func `is a trace, which gets neither`() throws {
    #expect(
      try text(Cart(), for: .traces) == """
        {"lines":[{"name":"tea"},{"name":"milk"}],"byName":{},"note":null,"last":"kept"}
        """
    )
  }

  @Test func `is the same for containers that are written in turns`() throws {
    #expect(try text(Interleaved(), for: .clients) == #"{"a":[1,4],"c":3}"#)
    #expect(try text(Interleaved(), for: .store) == #"{"a":[1,4],"b":2,"c":3}"#)
  }
}
