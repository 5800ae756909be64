import Testing

@testable import FusionDoctor

struct `What TLS is worth` {
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

  @Test func `is enough`() {
    #expect(judge().isGreen)
    #expect(judge { $0.plain = nil }.isGreen)
  }

  @Test(arguments: [
    ("max-age=31536000", true), ("includeSubDomains; Max-Age=\"60\" ; preload", true),
    ("max-age=0", false), ("max-age=00; includeSubDomains", false), ("max-age=\"0\"", false),
    ("includeSubDomains", false), ("max-age=", false), ("x-max-age=60", false), ("", false),
    ("max-age=60; max-age=0", false),
  ])
  func `is held on to for as long as HSTS says`(value: String, isStrict: Bool) {
    #expect(TLSCheck.isStrict(value) == isStrict)
  }

  @Test(arguments: ["localhost:8443", "LOCALHOST", "127.0.0.1", "127.8.0.1", "[::1]:8443"])
  func `is not to be kept for a name of loopback`(host: String) throws {
    #expect(try url("https://\(host)").isLoopback)
    let findings = judge { $0.hasStrictTransport = nil }
    #expect(findings.isGreen && findings.count == judge().count - 1)
  }

  @Test(arguments: ["example.org", "app.localhost", "127.example.org", "[::2]", "localhost.org"])
  func `is to be kept for any other name`(host: String) throws {
    #expect(try !url("https://\(host)").isLoopback)
  }

  @Test func `is nothing where the certificate does not verify`() throws {
    let fault = try #require(judge { $0.complaint = "self-signed certificate" }.fault)
    #expect(fault.level == .failure)
    #expect(fault.text.contains("self-signed certificate"))
    #expect(fault.advises("--insecure"))
  }

  @Test(arguments: [
    (30, Finding.Level.ok), (29, .warning), (7, .warning), (6, .failure), (-1, .failure),
  ])
  func `depends on how long the certificate stays`(days: Int, level: Finding.Level) {
    #expect(judge(days: days).fault?.level ?? .ok == level)
    let isOfAYear = judge(days: days) { $0.start = $0.expiry.map { $0 - 365 * 86_400 } }
    #expect(isOfAYear.fault?.level ?? .ok == level)
  }

  @Test(arguments: [
    (20, 20, Finding.Level.ok), (20, 7, .ok), (20, 6, .warning), (20, 2, .warning),
    (20, 1, .failure),
    (6, 6, .ok), (6, 2, .ok), (6, 1, .warning), (6, 0, .failure), (6, -1, .failure),
  ])
  func `depends on how long the certificate is for`(life: Int, days: Int, level: Finding.Level) {
    let findings = judge(days: days) { $0.start = $0.expiry.map { $0 - life * 86_400 } }
    #expect(findings.fault?.level ?? .ok == level)
  }

  @Test(arguments: [
    (2, "expires in 2 days"), (1, "expires in 24 hours"), (0, "expires in 0 hours"),
    (-1, "has expired"),
  ])
  func `is told in hours at the end`(days: Int, words: String) throws {
    #expect(try #require(judge(days: days).fault).text == "the certificate \(words)")
  }

  @Test func `is less in an old version, without HSTS, or beside plain http`() throws {
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
