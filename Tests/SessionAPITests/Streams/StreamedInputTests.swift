import FusionHTTPMessages
import FusionSessionAPI
import FusionSessions
import FusionStoreDoubles
import Synchronization
import Testing
import UIFusionKit
import UIFusionServer
import UIFusionTesting

struct `Inputs that come as lines` {
  private let client: Client

  init() {
    var limits = SessionLimits()
    limits.state = 100
    limits.queuedInputs = 1_000
    var options = SessionAPI.Options()
    options.bodyLimit = 40
    client = Client(limits: limits, options: options, store: MemorySessionStore()) {
      $0.host("growing", summary: "Grows") { Growing(time: $0.time) }
      $0.host("ledger", summary: "Notes") { _ in Ledger() }
      $0.host("house", summary: "Has a rule") { _ in House() }
    }
  }

  private func send(
    _ lines: String,
    to path: String,
    _ headers: HTTPHeaders = [:],
    by client: Client? = nil
  ) async throws -> Answer {
    var headers = headers
    headers["Content-Type"] = headers["Content-Type"] ?? "application/x-ndjson"
    let client = client ?? self.client
    let pending = try client.begin(.post, "\(path)/inputs", lines, headers: headers)
    await client.clock.idle()
    return try await pending.answer
  }

  private func text(of path: String, by client: Client? = nil) async throws -> String {
    try await (client ?? self.client).send(.get, path).text
  }

  @Test func `are applied in order, and counted`() async throws {
    let path = try await client.session("ledger")
    let answer = try await send(#"{"note":1}"# + "\n" + #"{"note":2}"# + "\n", to: path)
    #expect(answer.status == 200 && answer.text == #"{"version":3,"applied":2}"#)
    #expect(try await text(of: path).contains(#""notes":[1,2]"#))
  }

  @Test(arguments: [
    ("", 0), ("\n\n", 0), ("1", 1), ("1\r\n", 1), ("\n1\n \n\t\r\n2", 2), ("1\n2\n\n", 2),
  ])
  func `end with a line feed or the body, and blank lines are none`(lines: String, count: Int)
    async throws
  {
    let path = try await client.session("ledger")
    let inputs = lines.replacing(/\d/) { #"{"note":\#($0.output)}"# }
    let answer = try await send(inputs, to: path)
    #expect(answer.text == #"{"version":\#(count + 1),"applied":\#(count)}"#)
  }

  @Test(arguments: [1, 2, 255, 256, 257, 600])
  func `may be many`(count: Int) async throws {
    let path = try await client.session("growing")
    let answer = try await send(
      String(repeating: #"{"add":0}"# + "\n", count: count),
      to: path,
      ["Content-Type": "application/x-ndjson; charset=utf-8"]
    )
    #expect(answer.text.hasSuffix(#","applied":\#(count)}"#), "\(answer.text)")
  }

  @Test func `are applied as they arrive, and the answer comes after the last`() async throws {
    let path = try await client.session("ledger")
    let body = IncomingBody(limit: .max)
    let pending = try await begin(body, to: path)
    for (part, notes) in [
      (#"{"note":1}"#, ""), ("\n", "1"), (#"{"note":2}"# + "\n" + #"{"no"#, "1,2"),
      (#"te":3}"# + "\n", "1,2,3"),
    ] {
      append(part, to: body)
      await client.clock.idle()
      #expect(try await text(of: path).contains(#""notes":[\#(notes)]"#))
      #expect(!pending.isAnswered)
    }
    body.finish()
    #expect(try await pending.answer.text == #"{"version":4,"applied":3}"#)
  }

  private func begin(
    _ body: IncomingBody,
    to path: String,
    _ headers: HTTPHeaders = [:]
  ) async throws -> Pending {
    let target = try #require(RequestTarget("\(path)/inputs"))
    var request = HTTPRequest(.post, target, headers: headers)
    request.headers["Content-Type"] = "application/x-ndjson"
    request.incoming = body
    #expect(client.api.streamedBody(request)?.mayPause == true)
    let pending = Pending()
    client.api.handle(request, pending)
    await client.clock.idle()
    return pending
  }

  private func append(_ text: String, to body: IncomingBody) {
    unsafe Array(text.utf8).withUnsafeBufferPointer { #expect(unsafe body.take($0) == .taken) }
  }

  // MARK: Refused

  @Test(arguments: [
    (#"{"note":"x"}"#, 422, "invalid-input"), (#"{"non":1}"#, 422, "invalid-input"),
    ("{", 400, "malformed-json"), ("]", 400, "malformed-json"),
    (#"{"note":3},{"note":4}"#, 400, "malformed-json"),
    (#"[{"note":3}]"#, 422, "invalid-input"), (" []", 422, "invalid-input"),
    (#"{"note":3}"# + String(repeating: " ", count: 31), 413, "content-too-large"),
  ])
  func `are applied up to one that is wrong`(line: String, status: Int, problem: String)
    async throws
  {
    let path = try await client.session("ledger")
    let lines = [#"{"note":1}"#, #"{"note":2}"#, line, #"{"note":9}"#].joined(separator: "\n")
    let answer = try await send(lines, to: path)
    #expect(answer.status == status && answer.text.hasSuffix(#","applied":2}"#), "\(answer.text)")
    #expect(try answer.member("type") == "/problems/\(problem)")
    #expect(!answer.text.contains("index"))
    #expect(answer["UIFusion-Part"] == nil)
    #expect(try await text(of: path).contains(#""notes":[1,2]"#))
  }

  @Test func `are applied up to one whose turn is rolled back`() async throws {
    let path = try await client.session("growing")
    let lines = #"{"add":1}"# + "\n" + #"{"add":2}"# + "\n" + #"{"add":90}"# + "\n" + #"{"add":3}"#
    for key in [nil, "k"] {
      var headers: HTTPHeaders = [:]
      headers["Idempotency-Key"] = key
      let answer = try await send(lines, to: path, headers)
      #expect(answer.status == 422 && answer.text.hasSuffix(#","applied":2}"#))
    }
    let shown = try await text(of: path)
    #expect(shown.contains(#""text":"xxxxxx""#), "\(shown)")
  }

  @Test func `of an unknown session are refused before the first line comes`() async throws {
    let body = IncomingBody(limit: .max)
    let pending = try await begin(body, to: "/sessions/AAAAAAAAAAAAAAAAAAAAAA")
    #expect(pending.first?.status == 404)
    #expect(!body.isReady)
  }

  @Test func `end with the session`() async throws {
    let path = try await client.session("ledger")
    let body = IncomingBody(limit: .max)
    let pending = try await begin(body, to: path)
    append(#"{"note":1}"# + "\n", to: body)
    await client.clock.idle()
    try await client.send(.delete, path)
    append(#"{"note":2}"# + "\n", to: body)
    let answer = try await pending.answer
    #expect(answer.status == 410 && answer.text.hasSuffix(#","applied":1}"#))
  }

  @Test func `end with a share`() async throws {
    let path = try await client.session("ledger")
    let made = try await client.send(.post, "\(path)/shares", #"{"role":"driver"}"#)
    let share = try #require(try made.member("id"))
    let body = IncomingBody(limit: .max)
    let pending = try await begin(body, to: "/sessions/\(share)")
    append(#"{"note":1}"# + "\n", to: body)
    await client.clock.idle()
    #expect(try await client.send(.delete, "\(path)/shares/\(share)").status == 204)
    append(#"{"note":2}"# + "\n", to: body)
    #expect(try await pending.answer.status == 404)
    #expect(try await text(of: path).contains(#""notes":[1]"#))
  }

  @Test func `that have not arrived are refused when the service stops`() async throws {
    let path = try await client.session("ledger")
    let body = IncomingBody(limit: .max)
    let pending = try await begin(body, to: path)
    append(#"{"note":1}"# + "\n" + #"{"note":2}"#, to: body)
    await client.clock.idle()
    client.api.drain()
    let answer = try await pending.answer
    #expect(answer.status == 503 && answer.text.hasSuffix(#","applied":1}"#))
    #expect(try answer.member("type") == "/problems/draining")
  }

  @Test func `are sent as they are, in a body`() async throws {
    let path = try await client.session("ledger")
    for headers in [
      ["Content-Encoding": "gzip"], ["Content-Type": "application/x-ndjson; charset=latin1"],
    ] as [HTTPHeaders] {
      #expect(try await send(#"{"note":1}"#, to: path, headers).status == 415)
    }
  }

  @Test func `are applied to the version that If-Match names`() async throws {
    let path = try await client.session("ledger")
    let lines = #"{"note":1}"# + "\n" + #"{"note":2}"#
    #expect(try await send(lines, to: path, ["If-Match": #""7""#]).status == 412)
    let answer = try await send(lines, to: path, ["If-Match": #""1""#])
    #expect(answer.text == #"{"version":3,"applied":2}"#)
  }

  // MARK: Held back

  @Test func `wait while the session is full`() async throws {
    let path = try await client.session("growing")
    let lifeline = try #require(client.lifeline)
    lifeline.hold()
    let batch = "[" + Array(repeating: #"{"add":0}"#, count: 1_000).joined(separator: ",") + "]"
    let full = try client.begin(.post, "\(path)/inputs", batch)
    await client.clock.idle()
    let body = IncomingBody(limit: .max)
    let pending = try await begin(body, to: path)
    append(#"{"add":1}"# + "\n", to: body)
    body.finish()
    await client.clock.advance(by: .seconds(3))
    #expect(!pending.isAnswered)
    lifeline.release()
    #expect(try await full.answer.status == 200)
    await client.clock.advance(by: .seconds(3))
    #expect(try await pending.answer.text.hasSuffix(#","applied":1}"#))
  }

  // MARK: Repeated

  private func line(_ number: Int) -> String { #"{"add":\#(number)}"# + "\n" }

  @Test func `with a key go on where they ended, also after kill -9`() async throws {
    let path = try await client.session("growing")
    let key: HTTPHeaders = ["Idempotency-Key": "k"]
    let lines = line(1) + line(2) + line(3)
    let body = IncomingBody(limit: .max)
    let lost = try await begin(body, to: path, key)
    append(line(1) + line(2) + #"{"add""#, to: body)
    await client.clock.idle()
    body.fail()
    #expect(try await lost.answer.text.hasSuffix(#","applied":2}"#))
    let client = try await client.restarted()
    for _ in 1...2 {
      let answer = try await send(lines, to: path, key, by: client)
      #expect(answer.status == 200 && answer.text.hasSuffix(#","applied":3}"#), "\(answer.text)")
    }
    #expect(try await text(of: path, by: client).contains(#""text":"xxxxxx""#))
    let longer = try await send(lines + line(4), to: path, key, by: client)
    #expect(longer.text.hasSuffix(#","applied":4}"#))
    #expect(try await text(of: path, by: client).contains(#""text":"xxxxxxxxxx""#))
  }

  @Test func `go on whatever parts the lines come in, though earlier ones are at work`()
    async throws
  {
    let path = try await client.session("growing")
    let key: HTTPHeaders = ["Idempotency-Key": "k"]
    let lines = (0..<5).map { _ in #"{"addSoon":1}"# + "\n" }
    let body = IncomingBody(limit: .max)
    let first = try await begin(body, to: path, key)
    for line in lines.prefix(3) {
      append(line, to: body)
      await client.clock.idle()
    }
    let second = try await send(lines.joined(), to: path, key)
    #expect(second.text.hasSuffix(#","applied":5}"#))
    append(lines[3], to: body)
    append(lines[4], to: body)
    body.finish()
    #expect(try await first.answer.text.hasSuffix(#","applied":5}"#))
    await client.clock.advance(by: .seconds(1))
    #expect(try await text(of: path).contains(#""text":"xxxxx""#))
  }

  @Test(arguments: [1, 2])
  func `behind those that were applied need the same rights`(count: Int) async throws {
    let path = try await client.session("house")
    let key: HTTPHeaders = ["Idempotency-Key": "k"]
    let allowed = String(repeating: #"{"ring":1}"# + "\n", count: count)
    #expect(try await send(allowed, to: path, key).status == 200)
    let denied = try await send(allowed + #"{"ring":4}"#, to: path, key)
    #expect(denied.status == 403 && denied.text.hasSuffix(#","applied":\#(count)}"#))
    #expect(try await text(of: path).contains(#""rings":\#(count),"#))
  }

  @Test func `are no part of a stream because a client says so`() async throws {
    let path = try await client.session("ledger")
    for (body, status) in [(#"{"note":1}"#, 200), (#"{"note":2}"#, 422)] {
      let headers: HTTPHeaders = ["Idempotency-Key": "k", "UIFusion-Part": "0 1 x"]
      let answer = try await client.send(.post, "\(path)/inputs", body, headers: headers)
      #expect(answer.status == status && answer["UIFusion-Part"] == nil)
    }
  }

  @Test func `of another stream need another key`() async throws {
    let path = try await client.session("growing")
    let key: HTTPHeaders = ["Idempotency-Key": "k"]
    #expect(try await send(line(1) + line(2), to: path, key).status == 200)
    let other = try await send(line(3) + line(2) + line(4), to: path, key)
    #expect(other.status == 422)
    #expect(try other.member("type") == "/problems/reused-idempotency-key")
    let single = try client.begin(.post, "\(path)/inputs", #"{"add":1}"#, headers: key)
    await client.clock.idle()
    #expect(try await single.answer.status == 422)
    #expect(try await text(of: path).contains(#""text":"xxx""#))
  }
}
