import Testing

@testable import FusionDoctor

struct `The TLS check` {
  private let now = 1_800_000_000

  private func judge(
    days: Int = 90,
    _ change: (inout TLSCheck.Observation) -> Void = { _ in }
  ) -> [Finding] {
    var observed = TLSCheck.Observation()
    observed.expiry = now + days * 86_400
    observed.version = "TLSv1.3"
    observed.plain = .init(status: 301, location: "https://example.org/app/")
    change(&observed)
    return TLSCheck.judge(observed, now: now, "curl -s -v https://example.org")
  }

  @Test func `passes TLS 1.3 with HSTS and a redirect from plain HTTP`() {
    #expect(judge().isGreen)
    #expect(judge { $0.plain = nil }.isGreen)
  }

  @Test(arguments: [
    ("max-age=31536000", true), ("includeSubDomains; Max-Age=\"60\" ; preload", true),
    ("max-age=0", false), ("max-age=00; includeSubDomains", false), ("max-age=\"0\"", false),
    ("includeSubDomains", false), ("max-age=", false), ("x-max-age=60", false), ("", false),
    ("max-age=60; max-age=0", false),
  ])
  func `accepts HSTS with a positive max-age only`(value: String, isStrict: Bool) {
    #expect(TLSCheck.isStrict(value) == isStrict)
  }

  @Test(arguments: ["localhost:8443", "LOCALHOST", "127.0.0.1", "127.8.0.1", "[::1]:8443"])
  func `expects no HSTS for a loopback name`(host: String) throws {
    #expect(try url("https://\(host)").isLoopback)
    let findings = judge { $0.hasStrictTransport = nil }
    #expect(findings.isGreen && findings.count == judge().count - 1)
  }

  @Test(arguments: ["example.org", "app.localhost", "127.example.org", "[::2]", "localhost.org"])
  func `expects HSTS for any other name`(host: String) throws {
    #expect(try !url("https://\(host)").isLoopback)
  }

  @Test func `reports a certificate that does not verify`() throws {
    let fault = try #require(judge { $0.complaint = "self-signed certificate" }.fault)
    #expect(fault.level == .failure)
    #expect(fault.text.contains("self-signed certificate"))
    #expect(fault.advises("--insecure"))
  }

  @Test(arguments: [
    (30, Finding.Level.ok), (29, .warning), (7, .warning), (6, .failure), (-1, .failure),
  ])
  func `judges the days until the certificate expires`(days: Int, level: Finding.Level) {
    #expect(judge(days: days).fault?.level ?? .ok == level)
    let isOfAYear = judge(days: days) { $0.start = $0.expiry.map { $0 - 365 * 86_400 } }
    #expect(isOfAYear.fault?.level ?? .ok == level)
  }

  @Test(arguments: [
    (20, 20, Finding.Level.ok), (20, 7, .ok), (20, 6, .warning), (20, 2, .warning),
    (20, 1, .failure),
    (6, 6, .ok), (6, 2, .ok), (6, 1, .warning), (6, 0, .failure), (6, -1, .failure),
  ])
  func `judges the days left by the certificate's lifetime if it is short`(
    life: Int,
    days: Int,
    level: Finding.Level
  ) {
    let findings = judge(days: days) { $0.start = $0.expiry.map { $0 - life * 86_400 } }
    #expect(findings.fault?.level ?? .ok == level)
  }

  @Test(arguments: [
    (2, "expires in 2 days"), (1, "expires in 24 hours"), (0, "expires in 0 hours"),
    (-1, "has expired"),
  ])
  func `gives a certificate's last day in hours`(days: Int, words: String) throws {
    #expect(try #require(judge(days: days).fault).text == "the certificate \(words)")
  }

  @Test func `warns of an old version, missing HSTS and plain HTTP`() throws {
    let faults = [
      judge { $0.version = "TLSv1.1" }, judge { $0.hasStrictTransport = false },
      judge { $0.plain = .init(status: 200, location: "") },
      judge { $0.plain = .init(status: 301, location: "http://example.org") },
    ].map(\.fault)
    let words = ["ssl_protocols", "Strict-Transport-Security", "return 301", "return 301"]
    for (fault, word) in zip(faults, words) {
      let fault = try #require(fault)
      #expect(fault.level == .warning)
      #expect(fault.advises(word))
    }
  }
}
