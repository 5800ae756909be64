import Sessions
import StrictJSON
import Testing

@testable import UIFusionTools

@Suite struct `An exported session` {
  private let session: StoredSession = {
    let time = WallTime(milliseconds: 1_763_627_400_007)
    func answer(_ key: String, _ kind: Receipt.Kind) -> KeyedAnswer {
      KeyedAnswer(
        key: key,
        body: (0..<32).map { UInt8($0 * 8) },
        receipt: Receipt(
          kind,
          version: 7,
          state: kind == .brief ? [] : Array(#"{"a":1e2}"#.utf8),
          preferences: "wait=5"
        ),
        time: time
      )
    }
    func entry(_ sequence: Int, _ outcome: JournalEntry.Outcome, _ kind: Receipt.Kind?)
      -> JournalEntry
    {
      JournalEntry(
        sequence: sequence,
        version: sequence,
        time: time,
        outcome: outcome,
        running: ["a", "b"],
        trace: Array("{\"input\":\"é\\n\"}\n{\"cut\":true}\n".utf8),
        answer: kind.map { answer("key \(sequence)", $0) }
      )
    }
    let entries = [
      entry(6, .state(Array(#"{"a":[1.50,null]}"#.utf8)), .settled),
      entry(7, .patch(Array(#"[{"op":"remove","path":"/a"}]"#.utf8)), .brief),
      entry(8, .unchanged, nil), entry(9, .unchanged, .queued),
    ]
    return StoredSession(
      id: SessionID(high: .max, low: 7),
      viewModel: "v",
      parameters: Array(#"{"seconds":10}"#.utf8),
      created: time,
      used: time + .milliseconds(993),
      head: StoredHead(
        sequence: 5,
        version: 4,
        format: 3,
        state: Array(#"{"b":"\"\\"}"#.utf8),
        running: ["c"]
      ),
      entries: entries,
      answers: [answer("old", .unsettled)] + entries.compactMap(\.answer)
    )
  }()

  private func read(_ text: String) throws -> StoredSession {
    try SessionDocument.session(in: JSONDocument(Array(text.utf8)).root)
  }

  @Test func `is read again as it was, to the byte`() throws {
    #expect(try read(SessionDocument.tree(of: session).text) == session)
  }

  @Test func `may have been laid out by another tool`() throws {
    let text = try SessionDocument.tree(of: session).text
    let spread = text.replacing(",\"", with: ",\n  \"").replacing("\":{", with: "\" : { ")
    #expect(spread != text)
    #expect(try read(spread) == session)
  }

  @Test func `keeps its times`() {
    for milliseconds in [0, 1, 999, 1_763_627_400_123, -1, 253_402_300_799_999] as [Int64] {
      let time = WallTime(milliseconds: milliseconds)
      #expect(WallTime(text: time.text) == time, "\(time.text)")
    }
    #expect(WallTime(milliseconds: 1_763_627_400_007).text == "2025-11-20T08:30:00.007Z")
    for text in ["2025-11-20", "2025-11-20T08:30:00Z", "2025-13-20T08:30:00.000Z", "x.000Z"] {
      #expect(WallTime(text: text) == nil, "\(text)")
    }
  }

  @Test(arguments: [
    (
      #""uifusionSession":1"#, #""uifusionSession":2"#,
      "uifusionSession is 2, and this version reads 1"
    ),
    (#""id":"_"#, #""id":"!"#, "id must be a session's id"),
    (#""version":4"#, #""version":-4"#, "head.version must be a whole number"),
    // One more of it must be a number, too.
    (#""version":4"#, #""version":9223372036854775807"#, "head.version must be a whole number"),
    (#""sequence":5"#, #""sequence":9007199254740993"#, "head.sequence must be a whole number"),
    (
      #""kind":"settled""#, #""kind":"x""#,
      "entries[0].answer.kind must be unsettled, settled, brief or queued"
    ),
    (#""created":"2"#, #""created":"x"#, "created must be a time such as 2026-11-20T08:15:30.250Z"),
    (#""running":["c"]"#, #""running":"c""#, "head.running must be an array of strings"),
    (#""body":"00"#, #""body":"zz"#, "entries[0].answer.body must be a digest in hexadecimal"),
    (#""answers":["#, #""answers":[1,"#, "answers must be an array of objects"),
  ])
  func `is refused where it makes no sense, by name`(part: String, other: String, fault: String)
    throws
  {
    let text = try SessionDocument.tree(of: session).text
    let range = try #require(text.firstRange(of: part))
    let error = #expect(throws: MemberFault.self) {
      try read(text.replacingCharacters(in: range, with: other))
    }
    #expect(error?.description == fault)
  }
}

extension String {
  fileprivate func replacingCharacters(in range: Range<Index>, with text: String) -> String {
    self[..<range.lowerBound] + text + self[range.upperBound...]
  }
}
