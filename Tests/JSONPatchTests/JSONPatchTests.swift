import FusionJSONPatch
import FusionStrictJSON
import Testing

struct `A patch` {
  private func patch(_ old: String, _ new: String, limit: Int = .max) throws -> String? {
    let (old, new) = (try JSONDocument(Array(old.utf8)), try JSONDocument(Array(new.utf8)))
    return JSONPatch.text(from: old.root, to: new.root, limit: limit)
      .map { String(decoding: $0, as: UTF8.self) }
  }

  @Test(arguments: [
    (#"{"a":1}"#, #"{"a":1}"#, "[]"),
    (#"{"a":1,"b":[2]}"#, #"{"b":[2],"a":1}"#, "[]"),
    (#"{"a":1}"#, #"{"a":2}"#, #"[{"op":"replace","path":"/a","value":2}]"#),
    (#"{"a":1}"#, #"{"a":1.0}"#, #"[{"op":"replace","path":"/a","value":1.0}]"#),
    (#"{"a":1}"#, #"{"a":null}"#, #"[{"op":"replace","path":"/a","value":null}]"#),
    (#"{"a":1,"b":2}"#, #"{"b":2}"#, #"[{"op":"remove","path":"/a"}]"#),
    (#"{"b":2}"#, #"{"a":[],"b":2}"#, #"[{"op":"add","path":"/a","value":[]}]"#),
    ("1", "[]", #"[{"op":"replace","path":"","value":[]}]"#),
  ])
  func `consists of the operations add, remove and replace`(
    old: String,
    new: String,
    expected: String
  ) throws {
    #expect(try patch(old, new) == expected)
  }

  @Test(arguments: [
    (#"{"\u0301":{"a":1}}"#, #"{"\u0301":{"a":2}}"#), (#"{"\u0301":1,"a":2}"#, #"{"a":2}"#),
    (#"{"\u00e9":1,"a":2}"#, #"{"e\u0301":1,"a":2}"#),
    (#"{"e\u0301":1,"\u00e9":2}"#, #"{"e\u0301":1,"\u00e9":3}"#),
    (#"{"~\u0301/\u0301~1":{"a":1}}"#, #"{"~\u0301/\u0301~1":{"a":2}}"#),
  ])
  func `distinguishes names with different bytes`(old: String, new: String) throws {
    let (from, to) = (try JSONDocument(Array(old.utf8)), try JSONDocument(Array(new.utf8)))
    let text = try #require(JSONPatch.text(from: from.root, to: to.root))
    let made = try JSONPatch.apply(try JSONDocument(text).root, to: from.root)
    #expect(try JSONDocument(made).root == to.root)
  }

  @Test func `changes one value to another, at any depth and size`() throws {
    var random = RandomJSON(seed: 1)
    for _ in 0..<500 {
      let old = random.value(depth: 4)
      var new = old
      for _ in 0..<3 { random.change(&new) }
      let (from, to) = (
        try JSONDocument(Array(old.text.utf8)), try JSONDocument(Array(new.text.utf8))
      )
      let text = try #require(JSONPatch.text(from: from.root, to: to.root))
      let made = try JSONPatch.apply(try JSONDocument(text).root, to: from.root)
      #expect(try JSON(String(decoding: made, as: UTF8.self)) == new)
    }
  }

  @Test(arguments: [
    (#"[{"op":"remove","path":"/b"}]"#, "/b"),
    (#"[{"op":"replace","path":"/b","value":1}]"#, "/b"),
    (#"[{"op":"add","path":"/l/3","value":1}]"#, "/l/3"),
    (#"[{"op":"add","path":"/l/-1","value":1}]"#, "/l/-1"),
    (#"[{"op":"remove","path":"/l/0/x"}]"#, "/l/0/x"),
    (#"[{"op":"remove","path":""}]"#, ""),
    (#"[{"op":"move","path":"/l","from":"/l/0"}]"#, "/l"),
    (#"[{"op":"add","path":"/b"}]"#, "/b"),
    ("[1]", ""),
  ])
  func `is refused if it does not apply`(patch: String, path: String) throws {
    let value = try JSONDocument(Array(#"{"l":[1,2]}"#.utf8)).root
    #expect(throws: JSONPatch.Mismatch(path: path)) {
      try JSONPatch.apply(try JSONDocument(Array(patch.utf8)).root, to: value)
    }
  }

  @Test func `has pointers as in RFC 6901`() throws {
    for (name, token) in [("", ""), ("a/b", "a~1b"), ("~1", "~01"), ("\n\"\u{0}", #"\n\"\u0000"#)] {
      var quoted: [UInt8] = []
      quoted.appendLiteral(name)
      let name = String(decoding: quoted, as: UTF8.self)
      #expect(
        try patch("{\(name):[0,{\(name):1}]}", "{\(name):[0,{\(name):\"long enough\"}]}")
          == #"[{"op":"replace","path":"/\#(token)/1/\#(token)","value":"long enough"}]"#
      )
    }
  }

  @Test(arguments: [
    ("remove first", #"[{"op":"remove","path":"/l/0"}]"#, 0..<1, 0),
    ("insert", #"[{"op":"add","path":"/l/2","value":"+0"}]"#, 2..<2, 1),
    ("append", #"[{"op":"add","path":"/l/20","value":"+0"}]"#, 20..<20, 1),
    ("remove two", #"[{"op":"remove","path":"/l/7"},{"op":"remove","path":"/l/7"}]"#, 7..<9, 0),
    ("change", #"[{"op":"replace","path":"/l/3","value":"+0"}]"#, 3..<4, 1),
  ])
  func `contains the changes of a list`(
    name: String,
    expected: String,
    range: Range<Int>,
    additions: Int
  ) throws {
    let old = (0..<20).map { JSON.string("an element \($0)") }
    var new = old
    new.replaceSubrange(range, with: (0..<additions).map { .string("+\($0)") })
    let texts = [old, new].map { JSON.object(["l": .array($0)]).text }
    #expect(try patch(texts[0], texts[1]) == expected)
  }

  @Test func `removes and appends if a list moves on`() throws {
    let texts = [0..<20, 1..<21].map { JSON.array($0.map { .string("line \($0)") }).text }
    #expect(
      try patch(texts[0], texts[1])
        == #"[{"op":"remove","path":"/0"},{"op":"add","path":"/19","value":"line 20"}]"#
    )
  }

  @Test func `replaces a value if that is shorter than its parts`() throws {
    #expect(
      try patch(#"{"l":[1,2,3],"m":0}"#, #"{"l":[4,5,6],"m":0}"#)
        == #"[{"op":"replace","path":"/l","value":[4,5,6]}]"#
    )
  }

  @Test func `may be as long as its limit`() throws {
    let (old, new) = (#"{"a":1,"b":[1,2]}"#, #"{"a":2,"b":[1,{}]}"#)
    let length = try #require(try patch(old, new)).utf8.count
    #expect(try patch(old, new, limit: length)?.utf8.count == length)
    #expect(try patch(old, new, limit: length - 1) == nil)
  }

  /// An algorithm of quadratic time would take minutes here.
  @Test(.timeLimit(.minutes(5)))
  func `is computed in time for ten thousand elements`() throws {
    let old = (0..<10_000).map { JSON.object(["id": .number("\($0)"), "done": .bool(false)]) }
    for new in [Array(old.reversed()), old.filter { $0 != old[5_000] }, [], old + old] {
      let texts = [old, new].map { JSON.array($0).text }
      let patch = try patch(texts[0], texts[1], limit: texts[1].utf8.count)
      if let patch { #expect(try JSON(texts[0]).applying(JSON(patch)) == .array(new)) }
    }
  }

  @Test(arguments: randomSeeds)
  func `changes one random value to another`(seed: Int) throws {
    var random = RandomJSON(seed: UInt64(seed))
    for _ in 0..<1_000 {
      let old = random.value(depth: 4)
      var new = old
      for _ in 0..<Int.random(in: 0...4, using: &random.generator) { random.change(&new) }
      if Int.random(in: 0..<10, using: &random.generator) == 0 { new = random.value(depth: 4) }
      let (before, after) = (old.text, new.text)
      let text = try #require(try patch(before, after))
      #expect(try old.applying(JSON(text)) == new, "\(before) \(after) \(text)")
      #expect(try patch(before, after) == text)
      let limit = Int.random(in: 0...(2 * text.utf8.count), using: &random.generator)
      if let limited = try patch(before, after, limit: limit) {
        #expect(limited.utf8.count <= limit)
        #expect(try old.applying(JSON(limited)) == new, "\(before) \(after) \(limited)")
      } else {
        #expect(limit < text.utf8.count)
      }
    }
  }
}
