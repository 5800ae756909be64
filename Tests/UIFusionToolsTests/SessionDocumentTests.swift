import FusionSessions
import FusionStrictJSON
import Testing
import UIFusionKit

@testable import UIFusionTools

@Suite struct `An exported session` {
  private let session: StoredSession = {
    let time = WallTime(milliseconds: 1_763_627_400_007)
    func key(_ key: String, _ answer: KeyProgress.Answer) -> KeyProgress {
      KeyProgress(
        key: key,
        digest: [],
        answer: answer,
        processed: 2,
        count: 3,
        version: 7,
        time: time
      )
    }
    func entry(_ sequence: Int, _ outcome: LogEntry.Outcome, _ answer: KeyProgress.Answer?)
      -> LogEntry
    {
      LogEntry(
        sequence: sequence,
        version: sequence,
        time: time,
        outcome: outcome,
        running: ["a", "b"],
        trace: Array("{\"input\":\"é\\n\"}\n{\"cut\":true}\n".utf8),
        key: answer.map { key("key \(sequence)", $0) }
      )
    }
    let entries = [
      entry(6, .state(Array(#"{"a":[1.50,null]}"#.utf8)), .full),
      entry(7, .patch(Array(#"[{"op":"remove","path":"/a"}]"#.utf8)), .minimal),
      entry(8, .unchanged, nil), entry(9, .unchanged, .queued),
    ]
    let messages = [
      Message(7 << 10, to: .id("b"), Array(#"{"add":1}"#.utf8)),
      Message(8 << 10, to: .named("x", of: "v", shared: true), Array("2".utf8), ifRefused: [0x30]),
    ].map { StoredAlarm($0.name.bytes, at: WallTime(milliseconds: 0), $0.alarm.action) }
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
      keys: [key("old", .full)] + entries.compactMap(\.key),
      alarms: messages + [
        StoredAlarm(Array("rows[é]/tea".utf8), at: time, Array(#"{"ring":{"id":1}}"#.utf8)),
        StoredAlarm(Array("eggs".utf8), at: time + .seconds(60), Array(#""ring""#.utf8)),
      ]
    )
  }()

  private func read(_ text: String) throws -> StoredSession {
    try SessionDocument.session(in: JSONDocument(Array(text.utf8)).root)
  }

  @Test func `is imported unchanged`() throws {
    #expect(try read(SessionDocument.tree(of: session).text) == session)
  }

  @Test func `has who created a session of nobody's`() throws {
    var house = session
    (house.identity, house.creator) = (nil, "ada é")
    let text = try SessionDocument.tree(of: house).text
    #expect(text.contains(#""creator":"ada é""#))
    #expect(try read(text) == house)
  }

  @Test func `has the number of the last message from each sender`() throws {
    var receiver = session
    receiver.keys[0].key = KeyProgress.messageMark + "sender.i"
    receiver.keys[0].digest = KeyProgress.digest(of: 7 << 10)
    receiver.alarms.removeAll(where: \.isMessage)
    let text = try SessionDocument.tree(of: receiver).text
    #expect(try read(text) == receiver)
    // An earlier build must not read this: it would accept any body for the key of a message.
    #expect(text.contains(#""uifusionSession":3"#))
    let numbered = #""number":7168,"#
    #expect(text.contains(numbered))
    #expect(throws: MemberFault.self) { try read(text.replacing(numbered, with: "")) }
    receiver.keys.removeFirst()
    #expect(try SessionDocument.tree(of: receiver).text.contains(#""uifusionSession":2"#))
  }

  @Test func `keeps apart what foreign Inputs have caused`() throws {
    let addresses: [SessionAddress] = [
      .id("b"), .named("é", of: "v"), .named("x", of: "v", shared: true),
    ]
    let name = AlarmName("eggs")
    let alarms = [
      Alarm(name, at: 60_000, json: Array(#""ring""#.utf8), isForeign: true),
      Message(9 << 10, to: addresses[1], [0x31], ifRefused: [0x32], isForeign: true).alarm,
      Alarm(foreignFollowings: Set(addresses)),
    ]
    for alarm in alarms {
      var foreign = session
      let time = WallTime(milliseconds: alarm.time)
      foreign.alarms = [StoredAlarm(alarm.name.bytes, at: time, alarm.stored)]
      let text = try SessionDocument.tree(of: foreign).text
      #expect(try read(text) == foreign)
      // An earlier build must not read this: it would take it for the owner's.
      #expect(text.contains(#""uifusionSession":4"#))
    }
  }

  @Test func `has no digest of a request's body`() throws {
    var secret = session
    secret.keys[0].digest = [UInt8](repeating: 7, count: 32)
    let text = try SessionDocument.tree(of: secret).text
    #expect(try read(text) == session)
    #expect(!text.contains("digest") && !text.contains("0707"))
  }

  @Test func `of format 1 is imported with its answers as keys`() throws {
    let answer =
      #"{"key":"k","body":"00","time":"2025-11-20T08:30:00.007Z","#
      + #""kind":"brief","version":7,"preferences":"","state":null}"#
    let text = try SessionDocument.tree(of: session).text
      .replacing(#""uifusionSession":3"#, with: #""uifusionSession":1"#)
      .replacing(#""key":{"#, with: #""unknown":{"#)
      .replacing(#""keys":["#, with: #""answers":[\#(answer)],"unknown":["#)
    let keys = try read(text).keys
    #expect(keys.map(\.key) == ["k"])
    #expect(keys.map(\.answer) == [.minimal])
    #expect(keys.map(\.isComplete) == [true])
  }

  @Test func `is imported with any whitespace`() throws {
    let text = try SessionDocument.tree(of: session).text
    let spread = text.replacing(",\"", with: ",\n  \"").replacing("\":{", with: "\" : { ")
    #expect(spread != text)
    #expect(try read(spread) == session)
  }

  @Test func `keeps its times to the millisecond`() {
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
      #""uifusionSession":3"#, #""uifusionSession":6"#,
      "uifusionSession is 6, and this version reads 1 to 5"
    ),
    (#""id":"_"#, #""id":"!"#, "id must be a session's id"),
    (#""version":4"#, #""version":-4"#, "head.version must be a whole number"),
    // The next version must be representable, too.
    (#""version":4"#, #""version":9223372036854775807"#, "head.version must be a whole number"),
    (#""sequence":5"#, #""sequence":9007199254740993"#, "head.sequence must be a whole number"),
    (
      #""answer":"full""#, #""answer":"x""#,
      "entries[0].key.answer must be full, minimal or queued"
    ),
    (#""created":"2"#, #""created":"x"#, "created must be a time such as 2026-11-20T08:15:30.250Z"),
    (#""name":"eggs""#, #""name":1"#, "alarms[1].name must be a string"),
    (#""running":["c"]"#, #""running":"c""#, "head.running must be an array of strings"),
    (#""processed":2"#, #""processed":"2""#, "entries[0].key.processed must be a whole number"),
    (#""keys":["#, #""keys":[1,"#, "keys must be an array of objects"),
  ])
  func `is refused if a member is invalid, with the member's name`(
    part: String,
    other: String,
    fault: String
  )
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
