import FusionStrictJSON
import Testing

@testable import FusionDoctor

struct `The doctor's report` {
  private func report() throws -> DoctorReport {
    var report = DoctorReport(url: try url())
    report.entries = [
      .init(check: "clock", finding: .ok("the clocks agree")),
      .init(check: "tls", finding: .warning("short", ["renew it"], "curl -v https://example.org")),
      .init(check: "stream", finding: .skipped("no session")),
    ]
    return report
  }

  @Test func `says what was found, what to do and how to see it`() throws {
    let entries = try report().entries.map { $0.text(ReportStyle()) }
    #expect(
      entries == [
        "ok   clock        the clocks agree\n",
        """
        warn tls          short
                          → renew it
                          $ curl -v https://example.org

        """,
        "-    stream       no session\n",
      ]
    )
    #expect(try report().summary == "1 ok, 1 to look at, 0 failed, 1 not checked")
  }

  @Test func `says once how to make a session`() throws {
    var report = try report()
    let command = "curl https://example.org/sessions/$ID"
    let texts = [
      Finding.failure("other", [], "curl https://example.org"), .ok("good"),
      .failure("one", ["do"], command), .failure("two", [], command),
    ].map { report.add($0, of: "caches", "ID=1").text(ReportStyle()) }
    #expect(!texts[0].contains("ID=1"))
    #expect(
      texts[2] == """
        FAIL caches       one
                          → do
                          $ ID=1
                          $ \(command)

        """
    )
    #expect(!texts[3].contains("ID=1"))
    #expect(report.entries.map(\.preparation) == [nil, nil, nil, nil, nil, "ID=1", nil])
  }

  @Test func `has a line of advice for each proxy if it is unknown`() {
    let finding = Finding.warning("slow", [.delay, "or wait"])
    #expect(
      finding.adviceLines == [
        "nginx: tcp_nodelay on;", "haproxy: option http-no-delay",
        "Apache: flushpackets=on behind ProxyPass", "or wait",
      ]
    )
  }

  @Test func `has signs at a terminal, in color only where wanted`() throws {
    let entry = try report().entries[0]
    #expect(entry.text(ReportStyle(isTerminal: true)) == "✓ clock        the clocks agree\n")
    let colored = entry.text(ReportStyle(isTerminal: true, hasColors: true))
    #expect(colored.hasPrefix("\u{1B}[32m✓\u{1B}[0m clock  "))
  }

  @Test func `is one JSON document for scripts`() throws {
    #expect(
      try report().json.text == """
        {"counts":{"failure":0,"ok":1,"skipped":1,"warning":1},"findings":[\
        {"advice":[],"check":"clock","command":null,"level":"ok","preparation":null,"text":"the clocks agree"},\
        {"advice":["renew it"],"check":"tls","command":"curl -v https://example.org",\
        "level":"warning","preparation":null,"text":"short"},\
        {"advice":[],"check":"stream","command":null,"level":"skipped","preparation":null,"text":"no session"}],\
        "url":"https://example.org/app"}
        """
    )
  }

  @Test func `is green despite warnings, but not with a failure`() throws {
    var report = try report()
    #expect(report.isGreen)
    report.entries.append(.init(check: "tls", finding: .failure("ended", [])))
    #expect(!report.isGreen)
  }

  @Test func `has a unique name for each check that fits its column`() {
    for check in Doctor.checks { #expect(check.name.count <= 12) }
    #expect(Set(Doctor.checks.map { $0.name }).count == Doctor.checks.count)
  }
}
