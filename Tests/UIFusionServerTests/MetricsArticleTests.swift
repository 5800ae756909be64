import FusionRawHTTP
import Testing

struct `The article on metrics` {
  @Test func `lists every metric with its kind, and no other`() throws {
    let service = try ServiceProcess()
    let client = try service.connect()
    client.request("GET /metrics")
    let text = try #require(try client.response()?.text)
    let metrics = text.matches(of: /# TYPE (\w+) (\w+)\n/).map { "\($0.output.1) \($0.output.2)" }
    let article = try projectFile(
      "Sources/UIFusionServer/UIFusionServer.docc/Metrics.md"
    )
    let rows = article.matches(of: /\n\| `(\w+)` \| (\w+) \|/)
      .map { "\($0.output.1) \($0.output.2)" }
    #expect(metrics.count > 10)
    #expect(rows.sorted() == metrics.sorted())
    #expect(try service.stop().status == 0)
  }
}
