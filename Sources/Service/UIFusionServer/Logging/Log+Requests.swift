import FusionHTTPMessages
import FusionHTTPToolkit
import FusionSessionAPI
import FusionSessions
import UIFusionKit

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
      let sender = field("identity", record.origin?.sender)
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

  private func field(_ name: String, _ value: String?) -> [Field] {
    value.map { [(name, $0)] } ?? []
  }
}

/// Returns a duration to the microsecond, as `0.000427`.
private func inSeconds(_ duration: Duration) -> String {
  let micros = Int(duration / .microseconds(1))
  let digits = "\(1_000_000 + micros % 1_000_000)".dropFirst()
  return "\(micros / 1_000_000).\(digits)"
}
