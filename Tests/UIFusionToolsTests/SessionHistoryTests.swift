import FusionCommandLine
import FusionSessions
import Testing
import UIFusionServer

@testable import UIFusionTools

@Suite struct `A session's history` {
  private let time = WallTime(milliseconds: 0)

  private func entry(
    _ sequence: Int,
    _ outcome: LogEntry.Outcome,
    trace: String = ""
  ) -> LogEntry {
    LogEntry(
      sequence: sequence,
      version: sequence + 1,
      time: time,
      outcome: outcome,
      running: ["work \(sequence)"],
      trace: Array(trace.utf8)
    )
  }

  private func state(_ text: String) -> LogEntry.Outcome { .state(Array(text.utf8)) }
  private func patch(_ text: String) -> LogEntry.Outcome {
    .patch(Array(#"[{"op":"replace","path":"/a","value":\#(text)}]"#.utf8))
  }

  private func session(head sequence: Int, _ state: String, format: Int = 1) -> StoredSession {
    StoredSession(
      id: SessionID(high: 1, low: 2),
      viewModel: "v",
      created: time,
      used: time,
      head: StoredHead(
        sequence: sequence,
        version: sequence + 1,
        format: format,
        state: Array(state.utf8)
      ),
      entries: [entry(sequence + 1, patch("9"))]
    )
  }

  private func states(_ history: SessionHistory) -> [String?] {
    history.steps.map { $0.state.map { String(decoding: $0, as: UTF8.self) } }
  }

  @Test func `begins with the head if the log is empty`() throws {
    let history = try SessionHistory(session(head: 0, #"{"a":0}"#), log: [])
    #expect(history.start?.version == 1)
    #expect(states(history) == [#"{"a":9}"#])
    #expect(history.version == 2)
    #expect(history.running == ["work 1"])
    #expect(history.whole == history.session)
  }

  @Test func `goes back to the oldest State in the log`() throws {
    let log = [
      entry(1, patch("1")), entry(2, state(#"{"a":2}"#)), entry(3, patch("3")),
      entry(4, .unchanged), entry(5, patch("9")), entry(6, patch("10")),
    ]
    // The log was read one entry later than the session.
    let history = try SessionHistory(session(head: 4, #"{"a":3}"#), log: log)
    #expect(history.start == nil)
    #expect(states(history) == [nil, #"{"a":2}"#, #"{"a":3}"#, #"{"a":3}"#, #"{"a":9}"#])
    let whole = history.whole
    #expect(whole.head.sequence == 2)
    #expect(whole.head.version == 3)
    #expect(whole.head.running == ["work 2"])
    #expect(whole.entries.map(\.sequence) == [3, 4, 5])
    #expect(try states(SessionHistory(whole, log: [])) == Array(states(history).dropFirst(2)))
  }

  @Test func `begins with the initial State if the log has it`() throws {
    let log = [entry(0, state(#"{"a":0}"#)), entry(1, patch("1")), entry(2, patch("2"))]
    let history = try SessionHistory(session(head: 2, #"{"a":2}"#), log: log)
    #expect(history.start?.version == 1 && history.start?.running == ["work 0"])
    #expect(states(history) == [#"{"a":1}"#, #"{"a":2}"#, #"{"a":9}"#])
    #expect(history.whole.head == history.start)
    #expect(history.whole.entries.map(\.sequence) == [1, 2, 3])
    let new = try SessionHistory(session(head: 0, #"{"a":0}"#), log: [log[0]])
    #expect(new.start?.version == 1 && states(new) == [#"{"a":9}"#])
    #expect(new.whole == new.session)
  }

  @Test func `ignores entries that do not lead up to the head`() throws {
    let log = [entry(1, state("{}")), entry(3, state(#"{"a":3}"#))]
    let history = try SessionHistory(session(head: 4, #"{"a":4}"#), log: log)
    #expect(history.start?.sequence == 4)
    let gap = try SessionHistory(
      session(head: 3, #"{"a":3}"#),
      log: log + [entry(4, patch("9"))]
    )
    #expect(gap.steps.map(\.entry.sequence) == [3, 4])
  }

  @Test func `is reported as damaged, with its session, if a patch does not apply`() throws {
    let place = StoreLocation(storage: .folder("data"))
    let (whole, broken) = (session(head: 3, #"{"a":3}"#), session(head: 3, #"{"b":3}"#))
    try place.check(whole)
    for read in [place.check, { _ = try place.history($0, []) }] {
      let error = #expect(throws: CommandError.self) { try read(broken) }
      let text = "the log of session \(broken.id) in data is damaged: "
      #expect(error?.description.hasPrefix(text) == true)
    }
  }

  @Test func `does not stop the recovery of other sessions if it is damaged`() {
    var recovery = Recovery()
    let (broken, whole) = (session(head: 3, #"{"b":3}"#), session(head: 3, #"{"a":3}"#))
    for session in [broken, whole] {
      _ = recovery.append(session, [entry(4, patch("9"))], to: .newest)
    }
    #expect(recovery.damaged == [broken.id] && recovery.lost.isEmpty)
    #expect(recovery.recovered + recovery.unchanged == 1)
  }

  @Test func `has each State's format before and after a migration`() throws {
    let migration = #"{"restored":true,"migrated":{"from":1,"to":2}}"# + "\n"
    let log = [
      entry(1, state("1")), entry(2, state(#"{"a":2}"#), trace: migration), entry(3, patch("3")),
    ]
    let history = try SessionHistory(session(head: 3, #"{"a":3}"#, format: 2), log: log)
    #expect(history.steps.map(\.format) == [1, 2, 2, 2])
    #expect(history.whole.head.sequence == 2)
  }
}
