import FusionRawHTTP
import Testing

/// Tests over sockets: a held request suspends its connection.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct `Held requests` {
  @Test func `share a connection with repeated and other requests`() throws {
    let service = try ServiceProcess()
    let session = try service.session("counter")
    let client = try service.connect()
    func post(_ fields: String) throws -> RawClient.Response? {
      let fields = "Content-Type: application/json\r\nIdempotency-Key: k\r\n" + fields
      client.request("POST \(session)/inputs", fields, body: #""increase""#)
      return try client.response()
    }
    let held = try #require(try post("Prefer: wait=5\r\n"))
    #expect(held.status == 200)
    #expect(held["Preference-Applied"] == "wait=5")
    #expect(held.text.contains(#""value":1"#) && held.text.hasSuffix(#""settled":true}"#))
    let repeated = try #require(try post(""))
    #expect(repeated["Idempotency-Replayed"] == "true")
    #expect(repeated.text == held.text)
    client.request(
      "POST \(session)/inputs",
      "Content-Type: application/json\r\nPrefer: return=minimal\r\n",
      body: "[]"
    )
    let brief = try #require(try client.response())
    #expect(brief.status == 204 && brief["ETag"] == "\"3\"" && brief["Content-Length"] == nil)
    client.request("GET \(session)", "If-None-Match: \"3\"\r\nPrefer: wait=30\r\n")
    #expect(client.isQuiet(milliseconds: 50))
    _ = try service.connect().post(#""increase""#, to: session)
    #expect(try client.response()?["ETag"] == "\"4\"")
  }

  @Test func `are answered early when the service stops`() throws {
    // The delay gives the requests time to arrive.
    let service = try ServiceProcess("--drain-delay", "3", "--drain", "30")
    let session = try service.session("counter-sync")
    let polls = try (0..<50).map { _ in try service.connect() }
    for poll in polls {
      poll.request("GET \(session)", "If-None-Match: \"1\"\r\nPrefer: wait=60\r\n")
    }
    let (status, _) = try service.stop()
    #expect(status == 0)
    for poll in polls {
      let answer = try #require(try poll.response())
      #expect(answer.status == 304)
      #expect(answer["Preference-Applied"] == "wait=60")
    }
  }
}
