import FusionHTTPMessages
import FusionSessionAPI

extension Log {
  /// Writes a line for each request, at the level debug or, as an access log, at info; nil where those are
  /// left out, so that nothing is made for them.
  func requests(asAccessLog isAccessLog: Bool) -> (@Sendable (RequestRecord) -> Void)? {
    let level = isAccessLog ? LogLevel.info : .debug
    guard isEnabled(level) else { return nil }
    return { record in emit(level, "request", fields(of: record)) }
  }

  /// A field for what few events have.
  func field(_ name: String, _ value: String?) -> [Field] {
    value.map { [(name, $0)] } ?? []
  }

  private func fields(of record: RequestRecord) -> [Field] {
    [
      ("request", record.id.description),
      ("method", record.method?.rawValue ?? "-"),
      ("route", record.route ?? "-"),
      ("status", "\(record.status)"),
      ("bytes", "\(record.bytes)"),
      ("seconds", inSeconds(record.duration)),
      ("session", record.session ?? "-"),
      ("problem", record.problem ?? "-"),
    ] + field("client", record.client?.description) + field("trace", record.trace)
  }
}

/// A duration to the microsecond, as `0.000427`.
func inSeconds(_ duration: Duration) -> String {
  let micros = Int(duration / .microseconds(1))
  let digits = "\(1_000_000 + micros % 1_000_000)".dropFirst()
  return "\(micros / 1_000_000).\(digits)"
}
