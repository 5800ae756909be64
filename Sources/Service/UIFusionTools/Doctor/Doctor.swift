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
  /// - Throws: `CancellationError`; ``ToolError`` where there is no `curl` that fits; `UsageError` for what the
  ///   deployment cannot be asked.
  func examine(_ show: (DoctorReport.Entry) -> Void) async throws -> DoctorReport {
    var report = DoctorReport(url: deployment.url)
    defer { deployment.leave() }
    try await deployment.curl.checkVersion()
    for check in Self.checks {
      var findings = try await check.findings(of: deployment)
      if !deployment.isUsable { findings.append(.skipped("not checked because of the above")) }
      for finding in findings {
        show(report.add(finding, of: check.name, deployment.session?.preparation(deployment.url)))
      }
      if !deployment.isUsable { break }
    }
    return report
  }
}
