import FusionHTTPMessages
import FusionSessionAPI

extension Log {
  /// Writes a line for each request; nil where the level leaves those out, so that nothing is made for
  /// them.
  var requests: (@Sendable (RequestRecord) -> Void)? {
    guard isEnabled(.debug) else { return nil }
    return { record in
      let seconds = record.duration / .milliseconds(1) / 1000
      debug(
        "request",
        ("request", record.id.description),
        ("method", record.method?.rawValue ?? "-"),
        ("route", record.route ?? "-"),
        ("status", "\(record.status)"),
        ("seconds", "\(seconds)"),
        ("problem", record.problem ?? "-")
      )
    }
  }
}
