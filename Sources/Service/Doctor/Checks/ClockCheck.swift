import Glibc

/// The check that the service's clock agrees with this machine's.
enum ClockCheck: Check {
  static let name = "clock"

  static func findings(of deployment: Deployment) async throws -> [Finding] {
    let request = deployment.request("/healthz")
    let answer = try await deployment.curl.run(request)
    return [judge(answer.head?["Date"], now: time(nil)).shown(by: request.line)]
  }

  /// Compares an answer's header `Date` with the Unix time here.
  static func judge(_ date: String?, now: Int) -> Finding {
    guard let date, let there = timestamp(date) else {
      return .warning("answers have no Date", ["clients need it to tell how old an answer is"])
    }
    let difference = there - now
    guard abs(difference) > 5 else { return .ok("the clocks agree") }
    return .warning(
      "the server's clock is \(abs(difference)) s \(difference > 0 ? "ahead" : "behind")",
      ["set both by NTP: systemd-timesyncd or chrony"]
    )
  }
}
