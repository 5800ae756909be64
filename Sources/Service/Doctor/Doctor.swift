import FusionCommandLine

/// The examination of a deployment from outside.
struct Doctor {
  static let checks: [any Check.Type] = [
    ReachabilityCheck.self, TLSCheck.self, ArrivalCheck.self, OriginCheck.self, PageCheck.self,
    HeaderCheck.self, CacheCheck.self, StreamCheck.self, CompressionCheck.self, ClockCheck.self,
    LatencyCheck.self,
  ]

  let deployment: Deployment

  /// Runs the checks one after another, and deletes the trial session at the end.
  ///
  /// - Parameter show: takes each finding as soon as it is made.
  /// - Returns: all findings.
  /// - Throws: `CancellationError`; ``CommandError`` without a recent `curl`; ``UsageError`` for options that do
  ///   not fit the deployment.
  func examine(_ show: (DoctorReport.Entry) -> Void) async throws -> DoctorReport {
    var report = DoctorReport(url: deployment.url)
    defer { deployment.deleteSession() }
    try await deployment.curl.checkVersion()
    for check in Self.checks {
      var findings = try await check.findings(of: deployment)
      if !deployment.isUsable { findings.append(.skipped("other checks: see above")) }
      for finding in findings.map({ $0.resolved(for: deployment.proxy) }) {
        show(report.add(finding, of: check.name, deployment.session?.preparation(deployment.url)))
      }
      if !deployment.isUsable { break }
    }
    return report
  }
}
