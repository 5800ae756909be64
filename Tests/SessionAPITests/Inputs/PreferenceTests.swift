import FusionHTTPMessages
import FusionSessionAPI
import FusionSessions
import FusionStrictJSON
import Testing
import UIFusionTesting

struct `Preferences of Inputs` {
  private let client = Client()

  /// Returns a header with a line for each preference.
  private func prefer(_ lines: String...) -> HTTPHeaders {
    HTTPHeaders(lines.map { HTTPHeaders.Field(name: "Prefer", value: $0) })
  }

  private static let lines: [([String], Int, String?)] = [
    (["wait=5"], 200, "wait=5"), (["WAIT \t= 5"], 200, "wait=5"), ([#"wait="5""#], 200, "wait=5"),
    (["wait=0"], 200, "wait=0"), (["wait=60"], 200, "wait=60"), (["wait=61"], 200, "wait=60"),
    (["wait=99999999999999999999"], 200, "wait=60"),
    (["wait"], 200, nil), (["wait=x"], 200, nil), (["wait=-1"], 200, nil), (["wait=+5"], 200, nil),
    (["wait=5.5"], 200, nil), ([#"wait="""#], 200, nil), (["wait="], 200, nil),
    (["wait=5, wait=7"], 200, "wait=5"), (["wait=5", "wait=7"], 200, "wait=5"),
    (["wait=x, wait=7"], 200, nil),
    (["return=minimal"], 204, "return=minimal"), ([#"Return="MINIMAL""#], 204, "return=minimal"),
    (["return=representation, return=minimal"], 200, "return=representation"),
    (["return=nothing"], 200, nil), (["return"], 200, nil),
    (["respond-async"], 202, "respond-async"), ([#"Respond-Async="""#], 202, "respond-async"),
    (["respond-async=no"], 200, nil), ([#"respond-async; x="a, wait=9""#], 202, "respond-async"),
    (["respond-async, return=minimal"], 202, "respond-async"),
    (["respond-async, wait=5"], 200, "wait=5"),
    (["x=y, , wait=3; a=b ;c, return=minimal"], 204, "return=minimal, wait=3"),
    ([#"x="a\", wait=1", wait=2"#], 200, "wait=2"),
    ([#"x="it does not end, wait=3"#, "wait=4"], 200, "wait=4"),
    (["handling=strict", "", ",", ";", "="], 200, nil),
  ]

  @Test(arguments: lines)
  func `are read as in RFC 7240, and named if they are applied`(
    lines: [String],
    status: Int,
    applied: String?
  ) async throws {
    let path = try await client.session() + "/inputs"
    let headers = HTTPHeaders(lines.map { HTTPHeaders.Field(name: "prefer", value: $0) })
    let answer = try await client.send(.post, path, #""increase""#, headers: headers)
    #expect(answer.status == status)
    #expect(answer["Preference-Applied"] == applied)
    #expect(client.clock.sleepers == 0)
  }

  @Test func `return=minimal tells whether the Input is settled`() async throws {
    for (viewModel, settled) in [("counter-sync", "true"), ("counter", "false")] {
      let path = try await client.session(viewModel) + "/inputs"
      let minimal = prefer("return=minimal")
      let answer = try await client.send(.post, path, #""increase""#, headers: minimal)
      #expect(answer.status == 204 && answer["ETag"] == "\"2\"" && answer["Settled"] == settled)
    }
  }

  @Test func `wait is answered once the Input is settled`() async throws {
    let path = try await client.session("counter") + "/inputs"
    let pending = try client.begin(.post, path, #""increase""#, headers: prefer("wait=5"))
    await client.clock.advance(by: .milliseconds(499))
    #expect(!pending.isAnswered)
    await client.clock.advance(by: .milliseconds(1))
    let answer = try await pending.answer
    #expect(answer.status == 200)
    #expect(answer.text.contains(#""value":1,"loadingState":"none""#))
    #expect(answer.text.hasSuffix(#""settled":true}"#))
    #expect(answer["Preference-Applied"] == "wait=5")
    await client.clock.advance(by: .seconds(60))
    #expect(pending.count == 1)
    #expect(client.clock.sleepers == 0)
  }

  @Test func `wait ends with 200 for an unsettled Input, and with 202 for a queued one`()
    async throws
  {
    let client = Client()
    let path = try await client.session("slow") + "/inputs"
    let processed = try client.begin(.post, path, "90", headers: prefer("wait=61"))
    let waiting = try client.begin(.post, path, "1", headers: prefer("wait=60, return=minimal"))
    await client.clock.advance(by: .seconds(59))
    #expect(!processed.isAnswered && !waiting.isAnswered)
    await client.clock.advance(by: .seconds(1))
    #expect(try await processed.answer.status == 200)
    #expect(try await processed.answer.text == #"{"version":2,"state":-90,"settled":false}"#)
    #expect(try await processed.answer["Preference-Applied"] == "wait=60")
    #expect(try await waiting.answer.status == 202)
    #expect(try await waiting.answer.text == #"{"version":2,"state":-90}"#)
    #expect(try await waiting.answer["Preference-Applied"] == "wait=60")
    // The queued Input was not lost.
    await client.clock.advance(by: .seconds(31))
    #expect(try await client.send(.post, path, "[]").text.contains(#""state":91"#))
    #expect(processed.count == 1 && waiting.count == 1)
  }

  @Test func `return=minimal omits the body`() async throws {
    let path = try await client.session() + "/inputs"
    let headers = prefer("return=minimal")
    let answer = try await client.send(.post, path, #"["increase","show"]"#, headers: headers)
    #expect(answer.status == 204)
    #expect(answer.text == "")
    #expect(answer["ETag"] == "\"3\"")
    #expect(answer["Content-Type"] == nil)
    let settled = try await client.session("counter") + "/inputs"
    let pending = try client.begin(
      .post,
      settled,
      #""increase""#,
      headers: prefer("return=minimal", "wait=5")
    )
    #expect(!pending.isAnswered)
    await client.clock.advance(by: .milliseconds(500))
    #expect(try await pending.answer.status == 204)
    #expect(try await pending.answer["ETag"] == "\"3\"")
    #expect(try await pending.answer["Preference-Applied"] == "return=minimal, wait=5")
  }

  @Test func `respond-async is answered while the Input is queued`() async throws {
    let path = try await client.session("counter") + "/inputs"
    _ = try await client.send(.post, path, #""increase""#)
    let headers = prefer("respond-async")
    let answer = try await client.send(.post, path, #"["increase","increase"]"#, headers: headers)
    #expect(answer.status == 202)
    #expect(answer.text.contains(#""value":0,"loadingState":"increasing""#))
    #expect(try answer.json()["version"]?.decode(Int.self) == 2)
    await client.clock.advance(by: .seconds(2))
    #expect(try await client.send(.post, path, "[]").text.contains(#""value":3"#))
    #expect(client.clock.sleepers == 0)
  }

  @Test(arguments: [#""nope""#, "{", #"["increase","nope"]"#])
  func `do not hide errors`(body: String) async throws {
    let path = try await client.session() + "/inputs"
    for preference in ["wait=5", "return=minimal", "respond-async"] {
      let answer = try await client.send(.post, path, body, headers: prefer(preference))
      #expect(answer.status == (body == "{" ? 400 : 422))
      #expect(answer["Preference-Applied"] == nil)
    }
    #expect(try await client.send(.post, path, "[]").text.contains(#""version":1,"#))
  }

  @Test func `wait is answered 410 when the session is deleted`()
    async throws
  {
    let path = try await client.session("counter")
    let running = try client.begin(
      .post,
      path + "/inputs",
      #""increase""#,
      headers: prefer("wait=5")
    )
    let waiting = try client.begin(
      .post,
      path + "/inputs",
      #""increase""#,
      headers: prefer("wait=5")
    )
    _ = try await client.send(.delete, path)
    #expect(try await running.answer.status == 410)
    #expect(try await waiting.answer.status == 410)
    await client.clock.advance(by: .seconds(5))
    #expect(running.count == 1 && waiting.count == 1)
  }

  @Test func `wait keeps the session from expiring, and so does the work of its Input`()
    async throws
  {
    var limits = SessionLimits()
    limits.idleTime = .seconds(10)
    let client = Client(limits: limits)
    let path = try await client.session("slow")
    let pending = try client.begin(.post, path + "/inputs", "90", headers: prefer("wait=30"))
    await client.clock.advance(by: .seconds(29))
    client.host.expirer.expire()
    #expect(client.host.directory.count == 1 && !pending.isAnswered)
    await client.clock.advance(by: .seconds(70))
    client.host.expirer.expire()
    #expect(client.host.directory.count == 1 && pending.count == 1)
    await client.clock.advance(by: .seconds(1))
    client.host.expirer.expire()
    #expect(client.host.directory.count == 0)
  }

  @Test func `wait ends at once when the service begins to stop`() async throws {
    let client = Client()
    let path = try await client.session("slow") + "/inputs"
    let processed = try client.begin(.post, path, "90", headers: prefer("wait=30"))
    let waiting = try client.begin(.post, path, "1", headers: prefer("wait=30"))
    let plain = try client.begin(.post, path, "1")
    client.api.drain()
    #expect(processed.isAnswered && waiting.isAnswered && !plain.isAnswered)
    #expect(try await processed.answer.text.hasSuffix(#""settled":false}"#))
    #expect(try await waiting.answer.status == 202)
    // From here on no request waits.
    let late = try client.begin(.post, path, "1", headers: prefer("wait=30"))
    #expect(late.isAnswered)
    await client.clock.advance(by: .seconds(91))
    #expect(try await plain.answer.status == 200)
    #expect(processed.count == 1 && waiting.count == 1 && late.count == 1)
  }

  @Test func `wait needs one timer for a thousand requests`() async throws {
    let client = Client()
    let paths = [try await client.session("slow"), try await client.session("slow")]
    var limits: [Int: [Pending]] = [:]
    for number in 0..<1_000 {
      let wait = 60 - number % 60
      let path = paths[number % 2] + "/inputs"
      let pending = try client.begin(.post, path, "\(wait * 2)", headers: prefer("wait=\(wait)"))
      limits[wait, default: []].append(pending)
    }
    #expect(client.host.timeouts.count == 514, "the others were refused")
    await client.clock.idle()
    // The timer, and the work of the two sessions.
    #expect(client.clock.sleepers == 3)
    for second in 1...60 {
      await client.clock.advance(by: .seconds(1))
      for (wait, answers) in limits {
        #expect(answers.allSatisfy { $0.isAnswered == (wait <= second || $0.isRefused) })
      }
    }
    #expect(client.host.timeouts.count == 0)
    #expect(limits.values.allSatisfy { $0.allSatisfy { $0.count == 1 } })
  }
}

extension Pending {
  fileprivate var isRefused: Bool { isAnswered && first?.status == 429 }
}
