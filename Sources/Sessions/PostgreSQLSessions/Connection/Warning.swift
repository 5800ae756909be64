import CFusionPostgreSQL
import Synchronization

/// A warning of the server's beside a successful statement.
struct Warning: Sendable {
  let text: String
  /// The function in PostgreSQL's source that warned, the same in all languages; empty if unknown.
  let source: String

  init(_ notice: OpaquePointer?) {
    text = unsafe DiagnosticField.message.text(in: notice) ?? ""
    source = unsafe DiagnosticField.sourceFunction.text(in: notice) ?? ""
  }

  /// Whether the warning may say that a change did not wait for a standby, as `SyncRepWaitForLSN` does.
  var isOfStandby: Bool { source.isEmpty || source.hasPrefix("SyncRep") }
}

/// Reports warnings at most once an hour of each kind, as a lasting cause repeats them with each statement.
final class Warnings: Sendable {
  private static let pause = Duration.seconds(3_600)

  /// The times of the last reports by source, since texts vary in numbers.
  private let reported = Mutex<[String: ContinuousClock.Instant]>([:])
  private let report: @Sendable (PostgreSQLEvent) -> Void

  init(_ report: @escaping @Sendable (PostgreSQLEvent) -> Void) {
    self.report = report
  }

  func take(_ warning: Warning) {
    let now = ContinuousClock.now
    let isNews = reported.withLock { reported in
      if let last = reported[warning.source], now < last + Self.pause { return false }
      reported[warning.source] = now
      return true
    }
    if isNews { report(.warned(warning.text)) }
  }
}
