import Dispatch
import Foundation
import FusionPostgreSQLSessions
import FusionSQLiteSessions
import FusionSessions
import Testing
import UIFusionKit

@testable import UIFusionServer

struct `The log` {
  @Test func `truncates everything that could be a session's id`() {
    #expect(
      withoutSessionIDs("for `/sessions/O7vHxUbFUp08lBWxUgJBqw/events' at 2026-11-20")
        == "for `/sessions/O7vHxU…/events' at 2026-11-20"
    )
    #expect(withoutSessionIDs("O7vHxUbFUp08lBWxUgJBqw") == "O7vHxU…")
  }

  private func line(_ format: LogFormat, _ emit: (Log) -> Void) -> String {
    let lines = Lines()
    emit(Log(format: format, level: .info, write: { lines.add($0) }))
    return lines.text
  }

  @Test func `is one line of text for each event`() {
    let line = line(.text) { $0.info("started", ("port", "80"), ("name", "a b\n\"c")) }
    #expect(line.hasSuffix(" info started port=80 name=\"a b\\n\\\"c\"\n"))
    #expect(line.contains(#/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+Z /#))
  }

  @Test func `is one line of JSON for each event`() {
    let line = line(.json) { $0.error("failed", ("why", "x\ny")) }
    #expect(line.hasSuffix(#","level":"error","message":"failed","why":"x\ny"}"# + "\n"))
    #expect(line.hasPrefix(#"{"time":"20"#))
  }

  /// A line end, the escape of a terminal, one of C1, two separators, and two that reverse text.
  @Test(arguments: [
    "\n", "\u{1B}[2J", "\u{9B}2J", "\u{85}", "\u{2028}", "\u{2029}", "\u{202E}", "\u{2066}",
    "\u{7F}",
  ])
  func `has no text control in a line`(control: String) throws {
    for format in LogFormat.allCases {
      let line = line(format) { $0.info("told", ("by", "a\(control)b"), ("as", control)) }
      let controls = line.unicodeScalars.filter(\.isTextControl)
      #expect(controls.elementsEqual("\n".unicodeScalars))
      #expect(line.hasSuffix("\n"))
      let scalar = try #require(control.unicodeScalars.first)
      #expect(line.contains(scalar == "\n" ? "a\\nb" : "a\(scalar.escapeOfTextControl)"))
    }
  }

  @Test func `tells who forks a session, and from which`() throws {
    let (fork, origin) = (SessionID(high: 1, low: 2), SessionID(high: 3, low: 4))
    let line = line(.text) { $0.report(.forked(fork, from: origin, by: "eve")) }
    let words = "session=\(fork.redacted) from=\(origin.redacted) identity=eve"
    #expect(line.contains(" info session forked \(words)"))
    #expect(
      !self.line(.text) { $0.report(.forked(fork, from: origin, by: "")) }.contains("identity")
    )
  }

  @Test func `tells what a store reports`() {
    func level(_ emit: (Log) -> Void) -> Substring? {
      line(.text, emit).split(separator: " ").dropFirst().first
    }
    let ofPostgreSQL: [(PostgreSQLSessionStore.Event, String)] = [
      (.unreachable("no route"), "warning"), (.awaited("refused"), "warning"),
      (.waitsForStandby, "warning"), (.reconnected, "info"), (.warned("slow"), "warning"),
      (.nodeDied(Node(2, name: "b", address: ""), sessions: 0), "info"),
      (.nodeDied(Node(2, name: "b", address: ""), sessions: 3), "warning"),
    ]
    for (event, expected) in ofPostgreSQL {
      #expect(level { $0.report(event) } == expected[...], "\(event)")
    }
    let ofSQLite: [(SQLiteSessionStore.Event, String?)] = [
      (.waitsForLock, "info"), (.remoteFileSystem("nfs"), "warning"),
      (.damagedHistory("page 3"), "error"), (.tidyingFailed("full"), "warning"),
      (.checkpointFailed("full", count: 1), "warning"), (.checkpointFailed("full", count: 2), nil),
      (.longLog(pages: 9), "warning"), (.keepsItsSize, "info"),
    ]
    for (event, expected) in ofSQLite {
      #expect(level { $0.report(event) }.map(String.init) == expected, "\(event)")
    }
  }

  @Test func `leaves out events below its level`() {
    #expect(line(.text) { $0.debug("x") } == "")
  }

  @Test(arguments: LogFormat.allCases)
  func `does not wait for its reader, and counts the lines that were left out`(format: LogFormat)
    throws
  {
    let pipe = Pipe()
    let capacity = 200_000
    let output = LogOutput(pipe.fileHandleForWriting.fileDescriptor, format, capacity: capacity)
    let line = Array((String(repeating: "x", count: 99) + "\n").utf8)
    // Five times the capacity of the buffer and the pipe together.
    for _ in 0..<14_000 { output.write(line) }
    output.flush(within: .milliseconds(1))
    let (written, isRead) = (Lines(), DispatchSemaphore(value: 0))
    Thread.detachNewThread {
      written.add((try? pipe.fileHandleForReading.readToEnd()).map { [UInt8]($0) } ?? [])
      isRead.signal()
    }
    output.flush(within: .seconds(60))
    try pipe.fileHandleForWriting.close()
    isRead.wait()
    let lines = written.text.split(separator: "\n")
    let told = lines.compactMap { $0.firstMatch(of: /"?lines"?[=:]"?(\d+)/).flatMap { Int($0.1) } }
    #expect(lines.count - told.count + told.reduce(0, +) == 14_000)
    #expect(lines.count >= capacity / line.count && lines.count < 14_000)
  }
}
