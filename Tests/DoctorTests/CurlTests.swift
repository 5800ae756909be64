import Testing

@testable import FusionDoctor

struct `The program curl` {
  @Test(arguments: [
    ("curl 7.88.1 (x86_64) libcurl/7.88.1", true), ("curl 7.76.0", true), ("curl 8.0.1", true),
    ("curl 7.74.0 (x86_64)", false), ("wget 8.1", false), ("", false),
  ])
  func `is accepted from version 7.76 on`(version: String, isNewEnough: Bool) {
    #expect(Curl.isNewEnough(version) == isNewEnough)
  }

  @Test func `gets a body literally, even if it looks like a file name`() {
    var request = CurlRequest("https://example.org/a", headers: ["A: b"])
    request.method = "POST"
    request.body = "@/etc/passwd"
    #expect(
      request.arguments == [
        "-X", "POST", "-H", "Content-Type: application/json", "-H", "A: b",
        "--data-raw", "@/etc/passwd", "--url", "https://example.org/a",
      ]
    )
  }

  @Test func `has its request shown as a quoted shell command`() {
    var request = CurlRequest("https://example.org/sessions/abc/inputs?a=b&c", headers: ["A: it's"])
    request.method = "POST"
    request.body = #""increase""#
    request.session = "abc"
    #expect(
      request.line
        == #"curl -si -H 'Content-Type: application/json' -H 'A: it'\''s' -d '"increase"' "#
        + "https://example.org/sessions/$ID'/inputs?a=b&c'"
    )
    var session = CurlRequest("https://example.org/~a/sessions/abc")
    session.session = "abc"
    #expect(session.line == "curl -si https://example.org/~a/sessions/$ID")
    #expect(
      CurlRequest("https://example.org", options: ["-v"]).line
        == "curl -s -v https://example.org"
    )
  }

  @Test func `prints an answer and its measurements`() {
    let output = """
      HTTP/1.1 100 Continue\r\n\r\nHTTP/2 201 \r\nLocation: /a\r\nset-cookie: a\r\nSet-Cookie: b\r\n\r
      {"version":7,
      "settled":false}
      {"time_namelookup":0.1,"time_connect":0.2,"time_appconnect":0.3,"time_total":0.5,"num_connects":1}
      """
    let answer = CurlAnswer(output: Array(output.utf8), exit: 0)
    #expect(answer.head?.version == "HTTP/2")
    #expect(answer.status == 201)
    #expect(answer.head?["location"] == "/a")
    #expect(answer.head?["Set-Cookie"] == "a, b")
    #expect(answer.head?["Cookie"] == nil)
    #expect(answer.text == "{\"version\":7,\n\"settled\":false}")
    #expect(answer.version == 7)
    #expect(answer.measures.map(\.secured) == [0.3])
  }

  @Test func `says why there is no answer`() {
    let refused = answer(exit: 7, error: "Failed to connect")
    #expect(refused.head == nil && refused.outcome == "Failed to connect")
    let silent = CurlAnswer(output: [], exit: 2)
    #expect(silent.outcome == "curl ended with 2")
  }

  @Test func `logs the TLS version and the certificate's dates`() {
    let log = CurlLog(
      output: Array(
        """
        * SSL connection using TLSv1.3 / TLS_AES_256_GCM_SHA384
        *  subject: CN=example.org
        *  start date: Nov  6 08:49:36 1994 GMT
        *  expire date: Nov  6 08:49:37 1994 GMT
        """.utf8
      ),
      exit: 0
    )
    #expect(log.tlsVersion == "TLSv1.3")
    #expect(log.start == 784_111_776)
    #expect(log.expiry == 784_111_777)
  }
}

struct `A time in UTC` {
  @Test(arguments: [
    ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777), ("Nov 6 08:49:37 1994 GMT", 784_111_777),
    ("Sunday, 06-Nov-94 08:49:37 GMT", nil), ("Sun, 06 Foo 1994 08:49:37 GMT", nil), ("", nil),
  ])
  func `is read in the formats of headers and certificates`(text: String, seconds: Int?) {
    #expect(timestamp(text) == seconds)
  }
}
