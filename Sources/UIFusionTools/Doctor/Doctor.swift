/// Examines a deployment from outside, one thing after another.
struct Doctor {
  static let checks: [any Check.Type] = [
    ReachabilityCheck.self, TLSCheck.self, ArrivalCheck.self, OriginCheck.self, PageCheck.self,
    HeaderCheck.self, CacheCheck.self, StreamCheck.self, CompressionCheck.self, ClockCheck.self,
    LatencyCheck.self,
  ]

  let deployment: Deployment

  /// Does every check, as far as there is use in it; leaves no session behind.
  ///
  /// - Parameter show: is given what a check found, as soon as it is done.
  /// - Returns: all that was found.
  /// - Throws: `CancellationError`; ``ToolError`` where there is no `curl` that fits.
  func examine(_ show: (DoctorReport.Entry) -> Void) async throws -> DoctorReport {
    var report = DoctorReport(url: deployment.url)
    defer { deployment.leave() }
    try await deployment.curl.checkVersion()
    for check in Self.checks {
      var findings = try await check.findings(of: deployment)
      if !deployment.isUsable { findings.append(.skipped("what else there is was not looked at")) }
      for finding in findings {
        let entry = DoctorReport.Entry(check: check.name, finding: finding)
        report.entries.append(entry)
        show(entry)
      }
      if !deployment.isUsable { break }
    }
    return report
  }
}
