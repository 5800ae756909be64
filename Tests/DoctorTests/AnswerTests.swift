import FusionCommandLine
import Testing

@testable import FusionDoctor

struct `A check of answers` {
  private let created = answer(
    201,
    ["Location: /app/sessions/abc", "X-Request-Id: 1"],
    #"{"id":"abc","viewModel":"counter","version":1}"#
  )

  @Test func `tells whether the server's clock is ahead or behind`() {
    let noon = "Thu, 01 Jan 1970 12:00:00 GMT"
    #expect(ClockCheck.judge(noon, now: 43_205).text == "the clocks agree")
    #expect(ClockCheck.judge(noon, now: 43_140).text == "the server's clock is 60 s ahead")
    #expect(ClockCheck.judge(noon, now: 43_206).text == "the server's clock is 6 s behind")
  }

  // MARK: A page's session

  private func origin(_ made: CurlAnswer, _ found: CurlAnswer? = answer()) throws -> [Finding] {
    OriginCheck.judge(made, found, try url())
  }

  @Test func `passes a session that is found at its Location`() throws {
    #expect(try origin(created).isGreen)
    #expect(try origin(created, problem(404, "unknown-session")).fault != nil)
  }

  @Test func `reports that the page's origin is refused`() throws {
    let fault = try #require(try origin(problem(403, "foreign-origin")).fault)
    #expect(fault.text.contains("https://example.org is refused"))
    #expect(fault.advises("proxy_set_header Host"))
    #expect(fault.advises("--trusted-proxy"))
    #expect(
      try origin(answer(403, [])).fault?.resolved(for: .nginx).adviceLines == [
        "this is not the service's answer"
      ]
    )
  }

  @Test func `asks for header fields if the service has to know who asks`() throws {
    let fault = try #require(try origin(problem(401, "unauthenticated")).fault)
    #expect(fault.advises("--headers FILE"))
  }

  @Test func `has the sender's header fields in every request, and shows the file's name`() throws {
    let session = try #require(TrialSession(created, senderHeaders: ["@/etc/who"]))
    let request = session.request(try url(), "/events", headers: ["A: b"])
    #expect(request.arguments.starts(with: ["-H", "@/etc/who", "-H", "A: b"]))
    #expect(request.line.hasPrefix("curl -si -H @/etc/who -H 'A: b' "))
    #expect(session.preparation(try url()).contains("-H @/etc/who"))
  }

  @Test func `reports a Location that is missing or outside the base path`() throws {
    let fault = try #require(try origin(answer(201, ["Location: /sessions/secret"])).fault)
    #expect(fault.text.contains("/sessions/ID") && !fault.text.contains("secret"))
    #expect(fault.resolved(for: .nginx).adviceLines == ["the service: --base-path /app"])
    #expect(try origin(answer(201, [])).fault?.text == "Location is missing")
  }

  @Test func `tries no session whose id is malformed`() throws {
    #expect(TrialSession(created)?.id == "abc")
    #expect(TrialSession(answer(201, [], #"{"id":"../a","viewModel":"counter"}"#)) == nil)
    #expect(TrialSession(answer(201, [], "<html>")) == nil)
  }

  @Test func `tries hosted view models only`() throws {
    let hosted = ["todos", "counter"]
    #expect(try OriginCheck.candidates(of: hosted, wanted: nil) == ["counter", "todos"])
    #expect(try OriginCheck.candidates(of: hosted, wanted: "todos") == ["todos"])
    #expect(try OriginCheck.candidates(of: [], wanted: "todos") == ["todos"])
    let error = #expect(throws: UsageError.self) {
      try OriginCheck.candidates(of: hosted, wanted: "nope")
    }
    #expect(error?.description.contains("nope") == true)
    #expect(error?.description.hasSuffix("todos, counter") == true)
  }

  @Test func `gives a shell command that creates its session`() throws {
    let session = try #require(TrialSession(created))
    #expect(
      session.preparation(try url())
        == #"ID=$(curl -s -H 'Content-Type: application/json' -d '{"viewModel":"counter"}' "#
        + #"https://example.org/app/sessions | sed 's/.*"id":"\([^"]*\)".*/\1/')"#
    )
  }

  @Test(arguments: [
    (#"{"inputs":[{"examples":[{"add":{"a":1}}]},{"examples":["show",{"show":{}}]}]}"#, #""show""#),
    (#"{"inputs":[{"examples":[{"add":{"a":1}}]}]}"#, nil), ("{}", nil),
  ])
  func `picks an example Input without values`(spec: String, input: String?) throws {
    #expect(TrialSession.input(in: try tree(spec)) == input)
  }

  // MARK: Headers

  private let headers = [
    "X-Content-Type-Options: nosniff", "Content-Security-Policy: default-src 'self'",
    "Referrer-Policy: no-referrer",
  ]

  @Test func `reports security headers and request ids that are lost`() throws {
    func judge(_ headers: [String]) -> Finding {
      HeaderCheck.judge(answer(200, headers), sentID: "a")
    }
    #expect(judge(headers + ["X-Request-Id: a"]).level == .ok)
    #expect(judge(headers + ["X-Request-Id: a"]).text.contains("comes back"))
    let lost = judge(Array(headers.dropFirst()) + ["X-Request-Id: a"])
    #expect(lost.level == .failure && lost.text == "answers lose X-Content-Type-Options")
    #expect(lost.advises("no Header unset or Header set X-Content-Type-Options"))
    #expect(judge(headers).text == "answers lose X-Request-Id")
    let two = HeaderCheck.judge(answer(200, []), sentID: "a")
    #expect(two.advises("no proxy_hide_header X-Content-Type-Options, no proxy_hide_header"))
  }

  @Test func `accepts a request id that the proxy makes, unless it is malformed`() {
    func judge(_ id: String) -> Finding {
      HeaderCheck.judge(answer(200, headers + ["X-Request-Id: \(id)"]), sentID: "a")
    }
    let made = judge("fd4902a3e7b4ef36fe52ce309ce6e208")
    #expect(made.level == .ok)
    #expect(made.text.hasSuffix("the proxy makes the id of a request"))
    for id in ["b\r\nX-Request-Id: a", "$request_id", String(repeating: "a", count: 129)] {
      #expect(judge(id).level == .warning)
      #expect(judge(id).advises("no add_header X-Request-Id"))
    }
  }

  @Test(arguments: [
    (#""7""#, 304, Finding.Level.ok), (#""7""#, 200, .warning), (#"W/"7""#, 304, .warning),
    (#""7-gzip""#, 304, .warning),
    ("", 0, .failure),
  ])
  func `judges an ETag and the answer to its conditional request`(
    tag: String,
    again: Int,
    level: Finding.Level
  ) {
    #expect(HeaderCheck.judgeTag(tag, again: again).level == level)
  }

  @Test func `reports that Idempotency-Key or Prefer does not arrive`() {
    func judge(_ first: CurlAnswer, _ second: CurlAnswer) -> Finding {
      HeaderCheck.judgeInputs(first, second)
    }
    let first = answer(204, ["Preference-Applied: return=minimal"])
    let replayed = answer(204, ["Idempotency-Replayed: true"])
    #expect(judge(first, replayed).level == .ok)
    #expect(judge(first, first).text.hasPrefix("Idempotency-Key does not"))
    #expect(
      judge(first, first).resolved(for: .nginx).adviceLines == [
        "nginx: no proxy_set_header Idempotency-Key \"\""
      ]
    )
    #expect(judge(answer(), replayed).text.hasPrefix("Prefer does not"))
    #expect(judge(answer(), answer()).text.hasPrefix("Idempotency-Key and Prefer do not"))
    #expect(judge(problem(403, "foreign-origin"), replayed).level == .failure)
  }

  // MARK: Caches, clocks, compression

  @Test(arguments: [
    (["A: b"], 8, Finding.Level.ok), (["A: b"], 9, .ok), (["A: b"], 7, .failure),
    (["Age: 3"], 8, .failure),
  ])
  func `reports an answer with an Age or an outdated version`(
    headers: [String],
    version: Int,
    level: Finding.Level
  ) {
    let second = answer(200, headers, #"{"version":\#(version)}"#)
    #expect(CacheCheck.judge(changed: 8, second).level == level)
  }

  @Test(arguments: [(0, Finding.Level.ok), (5, .ok), (-5, .ok), (6, .warning), (-6, .warning)])
  func `warns of clocks that differ by more than five seconds`(
    difference: Int,
    level: Finding.Level
  ) {
    let date = "Sun, 06 Nov 1994 08:49:37 GMT"
    #expect(ClockCheck.judge(date, now: 784_111_777 - difference).level == level)
  }

  @Test func `warns of a missing Date`() {
    #expect(ClockCheck.judge(nil, now: 0).level == .warning)
  }

  @Test func `judges an answer's compression and its ETag`() {
    func judge(_ answer: CurlAnswer) -> Finding.Level {
      CompressionCheck.judge(answer).level
    }
    #expect(judge(answer(200, ["Content-Encoding: gzip", #"ETag: "a""#], "a")) == .ok)
    #expect(judge(answer(200, [#"ETag: "a""#], "a")) == .warning)
    #expect(judge(answer(200, ["Content-Encoding: gzip", #"ETag: W/"a""#], "a")) == .warning)
    #expect(judge(answer(200, ["Content-Encoding: gzip"])) == .failure)
    #expect(judge(answer(exit: 61)) == .failure)
  }

  @Test func `measures latency, and warns if the connection is not kept`() throws {
    func measure(_ total: Double, _ connections: Int) throws -> CurlMeasure {
      let text = """
        {"time_namelookup":0.001,"time_connect":0.003,"time_appconnect":0.013,\
        "time_starttransfer":\(total),"time_total":\(total),"num_connects":\(connections)}
        """
      return try #require(CurlMeasure(line: text.utf8))
    }
    let kept = try [measure(0.5, 1), measure(0.001, 0), measure(0.002, 0), measure(0.9, 0)]
    let good = LatencyCheck.judge(kept)
    #expect(good.level == .ok)
    #expect(
      good.text
        == "connect 2.0 ms, TLS 10 ms, answer 2.0 ms (p50 of 3); the connection is kept"
    )
    let cut = try LatencyCheck.judge([measure(0.5, 1), measure(0.5, 1)])
    #expect(cut.level == .warning && cut.advises("keepalive_timeout"))
    #expect(LatencyCheck.judge([]).level == .failure)
  }

  // MARK: The front page

  private func page(_ link: String?, _ module: CurlAnswer?) throws -> [Finding] {
    let page = answer(200, ["Content-Type: text/html; charset=utf-8"])
    return PageCheck.judge(page, link: link, module, try url())
  }

  @Test func `passes a page whose client module loads`() throws {
    let module = answer(200, ["Content-Type: text/javascript"])
    #expect(try page("uifusion.js", module).isGreen)
    #expect(try page(nil, module).isGreen)
    #expect(try page("/uifusion.js", nil).fault?.text.contains("not under") == true)
    #expect(try page("uifusion.js", answer(200, ["Content-Type: text/html"])).fault != nil)
    let other = PageCheck.judge(answer(502, []), link: nil, nil, try url())
    #expect(other.fault?.text == "the front page is answered 502")
  }

  @Test(arguments: [
    (#"<script type="module" src="/uifusion.js"></script>"#, "/uifusion.js"),
    (#"<script src='./uifusion.js?v=1' type=module>"#, "./uifusion.js?v=1"),
    (#"<script src="index.js"></script>"#, nil), ("", nil),
  ])
  func `finds the link to the client module in a page`(html: String, link: String?) {
    #expect(PageCheck.client(in: html) == link)
  }
}
