import FusionCommandLine
import FusionSessions
import FusionStrictJSON
import Glibc

/// A process that checks a part of the sessions: what it has found, and at which session it is.
final class CheckProcess {
  /// A change since the last look.
  enum Event {
    case found(SessionFinding)
    /// All sessions of the part are checked.
    case finished
    /// The process ended at a session, or was ended because that took too long.
    case crashed(SessionFinding)
  }

  private let process: Subprocess
  private let timeout: Duration
  private var rest: [UInt8] = []
  /// The session that is being checked.
  private var current: (session: SessionID, viewModel: String, since: ContinuousClock.Instant)?
  /// The lines that are not of the check: a trap's message, or an error.
  private var messages: [String] = []

  init(_ arguments: [String], _ variables: [String: String], timeout: Duration) throws(CommandError)
  {
    process = try Subprocess(arguments, capturesOutput: true, variables: variables)
    self.timeout = timeout
  }

  deinit { process.signal(SIGKILL) }

  /// Returns what has happened since the last call; does not wait.
  ///
  /// - Throws: ``CommandError`` if the process has failed otherwise than at a session.
  func events() throws(CommandError) -> [Event] {
    // Before the output is read, so that nothing of it is left once the process has ended.
    let status = process.status
    var events = read(process.newOutput())
    if let status {
      events.append(try end(status))
    } else if let current, ContinuousClock.now - current.since > timeout {
      process.signal(SIGKILL)
      process.waitUntilEnd()
      let reason = "no result after \(timeout.components.seconds) s"
      events.append(.crashed(Self.finding(current.session, current.viewModel, [reason])))
    }
    return events
  }

  private func read(_ output: [UInt8]) -> [Event] {
    rest += output
    guard let end = rest.lastIndex(of: UInt8(ascii: "\n")) else { return [] }
    let lines = rest[..<end].split(separator: UInt8(ascii: "\n")).map(Array.init)
    rest.removeSubrange(...end)
    var events: [Event] = []
    for text in lines {
      guard let root = Self.line(in: String(decoding: text, as: UTF8.self)) else {
        messages.append(String(decoding: text, as: UTF8.self))
        continue
      }
      let line = DocumentReader(root)
      if let id = root["checking"]?.string.flatMap(SessionID.init) {
        current = (id, root["viewModel"]?.string ?? "", .now)
      } else if let finding = try? SessionFinding(line) {
        events.append(.found(finding))
        current = nil
        messages = []
      }
    }
    return events
  }

  /// Returns the check's line in a line of output, before which a view model may have printed something; nil if there
  /// is none.
  private static func line(in output: String) -> JSONValue? {
    guard let start = output.firstRange(of: /\{"(checking|session)":/)?.lowerBound else {
      return nil
    }
    return try? JSONDocument(Array(output[start...].utf8)).root
  }

  private func end(_ status: CInt) throws(CommandError) -> Event {
    guard let current else {
      if status == 0 { return .finished }
      throw CommandError(messages.last ?? "the check ended with status \(status)")
    }
    let ending = status > 128 ? "signal \(status - 128)" : "status \(status)"
    let reason = messages.first { $0.contains("atal error") }.map { [$0] } ?? []
    let lines = ["the process ended with \(ending)"] + reason
    return .crashed(Self.finding(current.session, current.viewModel, lines))
  }

  private static func finding(
    _ session: SessionID,
    _ viewModel: String,
    _ lines: [String]
  ) -> SessionFinding {
    SessionFinding(session: session, viewModel: viewModel, kind: .crashed, lines: lines)
  }
}
