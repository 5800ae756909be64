import FusionSessions
import UIFusionKit

extension Log {
  /// Writes a line for each Input, at the level debug; nil where those are left out, so that nothing is made
  /// for them.
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
      emit(.debug, "input", fields + field("trace", record.origin?.trace?.traceID))
    }
  }
}
