import FusionStrictJSON
import Testing

@testable import FusionJSONPatch

struct `A patch of texts` {
  private func patch(_ old: String, _ new: String, limit: Int = .max) -> String? {
    JSONPatch.text(from: Array(old.utf8), to: Array(new.utf8), limit: limit)
      .map { String(decoding: $0, as: UTF8.self) }
  }

  private func applied(_ patch: [UInt8], to old: [UInt8]) throws -> [UInt8] {
    try JSONPatch.apply(try JSONDocument(patch).root, to: try JSONDocument(old).root)
  }

  /// Returns how many bytes of the new text are parsed.
  private func parsedCount(_ old: String, _ new: String) -> Int {
    let (old, new) = (Array(old.utf8), Array(new.utf8))
    return old.withUnsafeBytes { one in
      new.withUnsafeBytes { other in
        var maker = TextPatchMaker(limit: .max)
        // Guard: the scanners do not leave these closures.
        _ = maker.diff(TextScanner(bytes: one), TextScanner(bytes: other), at: Pointer())
        return maker.parsedCount
      }
    }
  }

  @Test(arguments: randomSeeds)
  func `results in the exact bytes, and is no longer than a patch of parsed documents`(
    seed: Int
  ) throws {
    var random = RandomJSON(seed: UInt64(seed))
    for _ in 0..<400 {
      var old = random.value(depth: 4)
      // Usually within a long value, so that no whole value is shorter than the patch.
      let isLong = Int.random(in: 0..<4, using: &random.generator) > 0
      var new = old
      for _ in 0..<Int.random(in: 0...3, using: &random.generator) { random.change(&new) }
      if isLong { (old, new) = (within(old), within(new)) }
      let (from, to) = (Array(old.text.utf8), Array(new.text.utf8))
      let limit = Bool.random(using: &random.generator) ? .max : to.count / 2
      let slow = foundInDocuments(from, to, limit: limit)
      guard let text = JSONPatch.text(from: from, to: to, limit: limit) else {
        #expect(slow == nil, "\(old.text) \(new.text)")
        continue
      }
      #expect(try applied(text, to: from) == to, "\(old.text) \(new.text)")
      #expect(text.count <= limit)
      if let slow { #expect(text.count <= slow.count, "\(old.text) \(new.text)") }
    }
  }

  /// Returns the patch of the parsed documents if it results in the exact bytes.
  private func foundInDocuments(_ old: [UInt8], _ new: [UInt8], limit: Int) -> [UInt8]? {
    guard let from = try? JSONDocument(old).root, let to = try? JSONDocument(new).root,
      let patch = JSONPatch.text(from: from, to: to, limit: limit),
      (try? applied(patch, to: old)) == new
    else { return nil }
    return patch
  }

  private func within(_ value: JSON) -> JSON {
    let filling = JSON.string(JSON.Text(String(repeating: "\\\"x", count: 200)))
    return .array([filling, .array([filling, .array([.null]), value, filling]), filling])
  }

  @Test(arguments: [
    ("{}", "{}"), ("1", "12"), (#"{"a":1,"b":[12]}"#, #"{"a":1,"b":[1]}"#),
    (#"{"a":1}"#, #"{"a":1,"b":2}"#), (#"{"a~/":[1,2]}"#, #"{"a~/":[1]}"#),
    (#"{"l":[1,2,3],"m":0}"#, #"{"l":[4,5,6],"m":0}"#), (#"[[[["a"]]]]"#, #"[[[["b"]]]]"#),
  ])
  func `equals the patch of parsed documents if the texts are short`(old: String, new: String)
    throws
  {
    let found = try #require(foundInDocuments(Array(old.utf8), Array(new.utf8), limit: .max))
    #expect(patch(old, new) == String(decoding: found, as: UTF8.self))
  }

  @Test(arguments: ["3", "[]", #"{"x":[4]}"#])
  func `holds a value that is nested as deep as a text may be`(
    value: String
  ) throws {
    let levels = 64 - value.count { $0 == "[" || $0 == "{" }
    func state(_ value: String) -> String {
      #"{"title":"\#(String(repeating: "x", count: 200))","deep":"#
        + String(repeating: "[", count: levels - 1) + value
        + String(repeating: "]", count: levels - 1) + "}"
    }
    let (old, new) = (state("0"), state(value))
    for (from, to) in [(old, new), (#"{"title":"y","deep":[]}"#, new)] {
      let text = try #require(patch(from, to))
      let root = try JSONDocument(Array(text.utf8), wrapping: 2).root
      let result = try JSONPatch.apply(root, to: try JSONDocument(Array(from.utf8)).root)
      #expect(String(decoding: result, as: UTF8.self) == to)
    }
  }

  @Test func `contains one operation for each changed member`() {
    let list = (0..<50).map { #"{"id":"\#($0)","title":"thing","isDone":false}"# }
    var changed = list
    changed[20] = #"{"id":"20","title":"other","isDone":false}"#
    func state(_ list: [String], _ remaining: Int) -> String {
      #"{"todos":[\#(list.joined(separator: ","))],"filter":"all","remaining":\#(remaining)}"#
    }
    #expect(parsedCount(state(list, 50), state(changed, 49)) < 2 * list[20].utf8.count)
    #expect(
      patch(state(list, 50), state(changed, 49))
        == #"[{"op":"replace","path":"/todos/20/title","value":"other"},"#
        + #"{"op":"replace","path":"/remaining","value":49}]"#
    )
    #expect(
      patch(state(list, 50), state(list.filter { $0 != list[30] }, 49))
        == #"[{"op":"remove","path":"/todos/30"},{"op":"replace","path":"/remaining","value":49}]"#
    )
    #expect(
      patch(state(Array(list.dropLast()), 50), state(list, 50))
        == #"[{"op":"add","path":"/todos/49","value":\#(list[49])}]"#
    )
  }

  @Test func `parses only the short member before a long one`() {
    func state(_ count: Int) -> String {
      #"{"count":\#(count),"text":"\#(String(repeating: "x", count: 999))"}"#
    }
    #expect(parsedCount(state(1), state(2)) < 20)
    #expect(patch(state(1), state(2)) == #"[{"op":"replace","path":"/count","value":2}]"#)
  }

  @Test func `is refused if a member would have another position`() {
    let long = #""l":"\#(String(repeating: "x", count: 100))""#
    #expect(patch(#"{"b":1,\#(long)}"#, #"{"a":0,"b":1,\#(long)}"#, limit: 60) == nil)
    #expect(patch(#"{"a":0,"b":1,\#(long)}"#, #"{"b":1,"a":0,\#(long)}"#, limit: 60) == nil)
    #expect(patch(#"{\#(long),"b":1}"#, #"{\#(long),"b":1,"c":0}"#, limit: 60) != nil)
  }

  /// A stored text may be damaged, and must not cause a read beyond its end.
  @Test func `is computed for malformed JSON without a crash`() {
    var random = RandomJSON.Generator(state: 1)
    let letters = Array(#"{}[],:"\a1"#.utf8)
    func text() -> [UInt8] {
      (0..<Int.random(in: 0...30, using: &random)).map { _ in
        letters.randomElement(using: &random) ?? 0
      }
    }
    for _ in 0..<20_000 {
      let old = text()
      let new = Bool.random(using: &random) ? text() : old.dropLast() + text()
      _ = JSONPatch.text(from: old, to: new, limit: 100)
    }
  }
}

struct `A scanner` {
  @Test func `finds the end of a string of any length and content`() {
    for length in 0..<40 {
      for place in 0..<40 {
        var inner = (0..<length).map { UInt8(ascii: "a") &+ UInt8($0 % 3) }
        if place < length { inner[place] = [0xA2, 0xDC, 0x21, 0x23, 0x5B, 0x5D][place % 6] }
        let plain = [UInt8(ascii: "\"")] + inner + Array(#"","next""#.utf8)
        let escaped = [UInt8(ascii: "\"")] + inner + Array(#"\\\"b","next""#.utf8)
        #expect(
          plain.withUnsafeBytes { TextScanner(bytes: $0).indexAfterString(at: 0) } == length + 2
        )
        #expect(
          escaped.withUnsafeBytes { TextScanner(bytes: $0).indexAfterString(at: 0) } == length + 7
        )
        #expect(inner.withUnsafeBytes { TextScanner(bytes: $0).indexAfterString(at: 0) } == length)
      }
    }
  }
}

struct `A differing run` {
  private func run(_ old: String, _ new: String) -> (levels: [Int], old: String, new: String) {
    let (old, new) = (Array(old.utf8), Array(new.utf8))
    return old.withUnsafeBytes { one in
      new.withUnsafeBytes { other in
        // Guard: the scanners do not leave these closures.
        let run = DifferingRun(from: TextScanner(bytes: one), to: TextScanner(bytes: other))
        return (
          run.levels.map(\.index), String(decoding: one[run.old], as: UTF8.self),
          String(decoding: other[run.new], as: UTF8.self)
        )
      }
    }
  }

  @Test(arguments: [
    ("1", "2", [], "1", "2"), ("[1,2,3]", "[1,4,3]", [1], "2", "4"),
    ("[1,2]", "[1,2,3]", [1], "2", "2,3"), ("[12]", "[1]", [0], "12", "1"),
    ("[]", "[1]", [0], "", "1"),
    ("[5,[1,2],6]", "[5,[1,3],6]", [1, 1], "2", "3"), ("[[1],5]", "[[1,2],5]", [0, 0], "1", "1,2"),
    ("[[1],5]", "[[2],6]", [0], "[1],5", "[2],6"),
    (#"{"a":1,"b":[2]}"#, #"{"a":1,"b":[3]}"#, [1, 0], "2", "3"),
    (#"{"a":"\",","b":2}"#, #"{"a":"\",","b":3}"#, [1], #""b":2"#, #""b":3"#),
    (
      #"["aaaaaaaaaaaa,b","c"]"#, #"["aaaaaaaaaaaa,d","c"]"#, [0], #""aaaaaaaaaaaa,b""#,
      #""aaaaaaaaaaaa,d""#
    ),
    ("[1,1]", "[1,1,1]", [1], "1", "1,1"), ("[1,2,3,4]", "[1,3,4]", [1], "2,3", "3"),
  ])
  func `is as short as possible`(
    old: String,
    new: String,
    levels: [Int],
    oldRun: String,
    newRun: String
  ) {
    let run = run(old, new)
    #expect(run.levels == levels)
    #expect(run.old == oldRun)
    #expect(run.new == newRun)
  }
}
