import CFusionPostgreSQL
import Synchronization

/// What a server warns of, beside doing what it was asked to.
struct Warning: Sendable {
  let text: String
  /// Where PostgreSQL's source says it, which no language changes; empty where that is not told.
  let source: String

  init(_ notice: OpaquePointer?) {
    text = unsafe Self.field(DiagnosticField.message, of: notice) ?? ""
    source = unsafe Self.field(DiagnosticField.sourceFunction, of: notice) ?? ""
  }

  /// Whether it may be that a standby was not waited for: `SyncRepWaitForLSN` says so.
  var isOfStandby: Bool { source.isEmpty || source.hasPrefix("SyncRep") }

  private static func field(_ code: Int32, of notice: OpaquePointer?) -> String? {
    unsafe PQresultErrorField(notice, code).map { unsafe String(cString: $0) }
  }
}

/// Passes on what the server warns of, seldom: where the cause lasts, it does so with each statement.
final class Warnings: Sendable {
  private static let pause = Duration.seconds(3_600)

  /// When, by where it comes from: texts have numbers in them that change.
  private let told = Mutex<[String: ContinuousClock.Instant]>([:])
  private let report: @Sendable (PostgreSQLSessionStore.Event) -> Void

  init(_ report: @escaping @Sendable (PostgreSQLSessionStore.Event) -> Void) {
    self.report = report
  }

  func take(_ warning: Warning) {
    let now = ContinuousClock.now
    let isNews = told.withLock { told in
      if let last = told[warning.source], now < last + Self.pause { return false }
      told[warning.source] = now
      return true
    }
    if isNews { report(.warned(warning.text)) }
  }
}
