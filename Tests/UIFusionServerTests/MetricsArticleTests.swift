import Testing

struct `The article on metrics` {
  @Test func `lists every metric with its kind, and no other`() throws {
    // TLS adds a metric.
    let files = try Certificate()
    let service = try ServiceProcess("--tls-cert", files.certificate, "--tls-key", files.key)
    let text = try run(
      "/usr/bin/curl",
      ["-ksS", "--max-time", "20", "https://127.0.0.1:\(service.port)/metrics"]
    ).output
    let metrics = text.matches(of: /# TYPE (\w+) (\w+)\n/).map { "\($0.output.1) \($0.output.2)" }
    let article = try projectFile(
      "Sources/Service/UIFusionServer/UIFusionServer.docc/Metrics.md"
    )
    let points = article.matches(of: /\n- `(\w+)`, (\w+):/).map { "\($0.output.1) \($0.output.2)" }
    #expect(metrics.count > 10)
    #expect(points.sorted() == metrics.sorted())
    #expect(try service.stop().status == 0)
  }
}
