import FusionHTTPMessages
import FusionHTTPToolkit
import FusionPostgreSQLSessions
import FusionSQLiteSessions
import FusionSessionAPI
import FusionSessions
import UIFusionKit

/// The log of a service: a line for each event of at least one level.
///
/// An event is a fixed message with fields. Everything that varies is in the fields, so that a program can
/// group lines by message. No field contains a whole session id.
struct Log: Sendable {
  let format: LogFormat
  let level: LogLevel
  /// Takes a line; must not wait for the log's reader.
  let write: @Sendable ([UInt8]) -> Void

  typealias Field = LogFormat.Field

  func debug(_ message: String, _ fields: Field...) { emit(.debug, message, fields) }
  func info(_ message: String, _ fields: Field...) { emit(.info, message, fields) }
  func warning(_ message: String, _ fields: Field...) { emit(.warning, message, fields) }
  func error(_ message: String, _ fields: Field...) { emit(.error, message, fields) }

  /// Whether events of a level are logged.
  func isEnabled(_ level: LogLevel) -> Bool { level >= self.level }

  /// Logs an event.
  func emit(_ level: LogLevel, _ message: String, _ fields: [Field]) {
    if isEnabled(level) { write(format.line(level, message, fields)) }
  }
}

/// Returns a text in which each run of characters that is long enough for a session id is cut.
func withoutSessionIDs(_ text: String) -> String {
  var result = ""
  var run = ""
  for character in text {
    if character.isASCII, character.isLetter || character.isNumber || "-_".contains(character) {
      run.append(character)
    } else {
      result += run.count < 22 ? run : run.prefix(6) + "…"
      result.append(character)
      run = ""
    }
  }
  return result + (run.count < 22 ? run : run.prefix(6) + "…")
}

extension Log {
  /// Returns a logger of requests, at the level debug or, for an access log, at info; nil if that level is not
  /// logged, so that no record is made.
  func requests(asAccessLog isAccessLog: Bool) -> (@Sendable (RequestRecord) -> Void)? {
    let level = isAccessLog ? LogLevel.info : .debug
    guard isEnabled(level) else { return nil }
    return { record in emit(level, "request", fields(of: record)) }
  }

  /// A logger of Inputs, at the level debug; nil if that level is not logged, so that no record is made.
  var inputs: (@Sendable (SessionID, InputRecord) -> Void)? {
    guard isEnabled(.debug) else { return nil }
    return { session, record in
      let fields: [Field] = [
        ("session", session.redacted),
        ("input", record.input),
        ("actions", record.actions.joined(separator: ",")),
        ("version", "\(record.version)"),
        ("seconds", inSeconds(record.duration)),
        ("settled", "\(record.isSettled)"),
        ("request", record.origin?.request ?? "-"),
      ]
      let sender = field("identity", record.origin?.sender?.id)
      emit(.debug, "input", fields + sender + field("trace", record.origin?.trace?.traceID))
    }
  }

  private func fields(of record: RequestRecord) -> [Field] {
    [
      ("request", record.id.description),
      ("method", record.method?.rawValue ?? "-"),
      ("route", record.route ?? "-"),
      ("status", "\(record.status)"),
      ("bytes", "\(record.bytes)"),
      ("seconds", inSeconds(record.duration)),
      ("session", record.subject ?? "-"),
      ("problem", record.problem ?? "-"),
    ] + field("client", record.client?.description) + field("identity", record.identity)
      + field("trace", record.trace)
  }

  func field(_ name: String, _ value: String?) -> [Field] {
    value.map { [(name, $0)] } ?? []
  }
}

/// Returns a duration to the microsecond, as `0.000427`.
private func inSeconds(_ duration: Duration) -> String {
  let micros = Int(duration / .microseconds(1))
  let digits = "\(1_000_000 + micros % 1_000_000)".dropFirst()
  return "\(micros / 1_000_000).\(digits)"
}

extension Log {
  /// Logs an event of a PostgreSQL store.
  func report(_ event: PostgreSQLSessionStore.Event) {
    switch event {
    case .unreachable(let text):
      warning("PostgreSQL does not answer: each change tries again", ("error", text))
    case .awaited(let text):
      warning("cannot reach PostgreSQL yet: retrying for 30 seconds", ("error", text))
    case .waitsForStandby:
      warning(
        "commits wait for a synchronous standby: start one, or change synchronous_standby_names (article"
          + " PostgreSQL)"
      )
    case .reconnected: info("PostgreSQL answers again")
    case .warned(let text): warning("PostgreSQL warns", ("warning", text))
    case .nodeDied(let node, let sessions):
      emit(
        sessions == 0 ? .info : .warning,
        "another node's lease expired: its sessions move to the nodes that are asked for them",
        [("node", "\(node.number)"), ("name", node.name), ("sessions", "\(sessions)")]
      )
    }
  }

  /// Logs an event of a store in a folder.
  func report(_ event: SQLiteSessionStore.Event) {
    switch event {
    case .waitsForLock:
      info("another process serves this folder: waiting for it to stop")
    case .remoteFileSystem(let name):
      warning(
        "the data folder is on a remote file system: its locks and durability may fail",
        ("fileSystem", name)
      )
    case .damagedHistory(let text):
      error("old history is damaged and kept: sessions still work, make a backup", ("error", text))
    case .tidyingFailed(let text):
      warning("cannot drop old history: trying again later", ("error", text))
    case .checkpointFailed(let text, 1):
      warning("cannot move the write-ahead log into the database", ("error", text))
    case .checkpointFailed: break
    case .longLog(let pages):
      warning(
        "the write-ahead log is long: a reader holds it, or the disk is slow",
        ("bytes", "\(pages * 4_096)")
      )
    case .keepsItsSize:
      info(
        "the database is too large for a start to convert, and does not shrink: `sessions backup` writes one that"
          + " does"
      )
    }
  }
}
