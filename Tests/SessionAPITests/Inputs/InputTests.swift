import FusionHTTPMessages
import FusionSessionAPI
import FusionSessions
import FusionStrictJSON
import Testing
import UIFusionTesting

struct `Inputs over HTTP` {
  private let client = Client()

  @Test(arguments: ["gzip", "br", "GZIP", "identity, deflate", "zstd", "x"])
  func `is refused as a compressed body, whatever its bytes`(coding: String) async throws {
    let client = Client()
    let path = try await client.session()
    for (target, body) in [
      (path + "/inputs", #""increase""#), ("/sessions", #"{"viewModel":"counter"}"#),
      (path + "/shares", #"{"role":"observer"}"#),
    ] {
      for body in [body, "\u{1F}\u{8}"] {
        let answer = try await client.send(
          .post,
          target,
          body,
          headers: ["Content-Encoding": coding]
        )
        #expect(answer.status == 415)
        #expect(answer["Accept-Encoding"] == "identity")
        #expect(try answer.member("detail")?.contains("without Content-Encoding") == true)
      }
    }
    for coding in ["", "identity", " Identity ,"] {
      let headers: HTTPHeaders = ["Content-Encoding": coding]
      let answer = try await client.send(.post, path + "/inputs", #""increase""#, headers: headers)
      #expect(answer.status == 200)
    }
  }

  @Test func `are answered with the State that they led to`() async throws {
    let path = try await client.session() + "/inputs"
    let answer = try await client.send(.post, path, #""increase""#)
    #expect(answer.status == 200)
    #expect(answer["Content-Type"] == "application/json")
    #expect(
      answer.text
        == #"{"version":2,"state":{"value":1,"isReset":false,"#
        + #""showAlert":{"value":null,"pulse":0}},"settled":true}"#
    )
  }

  @Test(arguments: [
    (#""clear""#, #"[]"#),
    (#"{"clear":{}}"#, #"[]"#),
    (#"{"add":"milk"}"#, #"["milk"]"#),
    (#"{"add":{"_0":"milk"}}"#, #"["milk"]"#),
    (#"[{"add":"a"},{"rename":{"from":"a","to":"b"}}]"#, #"["b"]"#),
    (#"{"tag":{"text":"a","stars":2}}"#, #"["a 2"]"#),
    (#"{"tag":{"_0":{"text":"a"}}}"#, #"["a 0"]"#),
    (#"{"wish":"x"}"#, #"["x"]"#),
    (#"{"wish":null}"#, #"["nothing"]"#),
    (#"{"wish":{}}"#, #"["nothing"]"#),
    (#" { "add" : "\u00e9\ud83d\ude00" } "#, #"["é😀"]"#),
    (#"[]"#, #"[]"#),
  ])
  func `are accepted in every form`(body: String, notes: String) async throws {
    let path = try await client.session("notes") + "/inputs"
    let answer = try await client.send(.post, path, body)
    #expect(answer.status == 200)
    #expect(answer.text.contains(#""state":{"notes":\#(notes),"#))
  }

  @Test(arguments: [
    (#""nope""#, nil), (#"{"nope":{}}"#, nil), ("5", nil), ("null", nil), ("{}", nil),
    (#""add""#, "add"), (#"{"clear":5}"#, "clear"), (#"{"clear":{"x":1}}"#, "x"),
    (#"{"add":5}"#, "add"), (#"{"add":{"_0":5}}"#, "add"), (#"{"add":{"_0":"a","z":1}}"#, "z"),
    (#"{"rename":{"from":"a"}}"#, "to"), (#"{"tag":{"text":"a","stars":"x"}}"#, "tag.stars"),
    (#"{"clear":{},"add":"a"}"#, nil), (#"{"tag":{"text":"a","zz":3}}"#, "tag.zz"),
  ])
  func `are refused if unknown, with the known ones and the faulty member`(
    body: String,
    member: String?
  ) async throws {
    let path = try await client.session("notes") + "/inputs"
    let answer = try await client.send(.post, path, body)
    #expect(answer.status == 422)
    #expect(try answer.member("type") == "/problems/invalid-input")
    #expect(answer.text.contains(#""known":["clear","add","rename","tag","wish"]"#))
    #expect(try answer.member("member") == member)
  }

  @Test(arguments: [
    "", "{", #"{"add":"a",}"#, #"{"add":"a"} x"#, #"{"add":"\ud800"}"#, "nope",
    #"{"add":"a","add":"b"}"#, String(repeating: "[", count: 100_000),
  ])
  func `are refused if they are not JSON, with the place of the error`(body: String) async throws {
    let path = try await client.session("notes") + "/inputs"
    let answer = try await client.send(.post, path, body)
    #expect(answer.status == 400)
    #expect(try answer.member("type") == "/problems/malformed-json")
    #expect(try answer.member("detail")?.contains("line 1") == true)
  }

  @Test func `of a batch are all refused if one does not decode, with its index`()
    async throws
  {
    let path = try await client.session() + "/inputs"
    let answer = try await client.send(.post, path, #"["increase","nope","increase"]"#)
    #expect(answer.status == 422)
    #expect(answer.text.contains(#""index":1"#))
    #expect(try await client.send(.post, path, "[]").text.contains(#""version":1,"#))
  }

  @Test func `of a batch run back to back, and are answered once the last one is processed`()
    async throws
  {
    let path = try await client.session("counter")
    let batch = try client.begin(.post, path + "/inputs", #"["increase","increase"]"#)
    let other = try client.begin(.post, path + "/inputs", #""reset""#)
    #expect(!batch.isAnswered)
    await client.clock.advance(by: .milliseconds(500))
    let answer = try await batch.answer
    #expect(answer.text.contains(#""value":1,"loadingState":"increasing""#))
    #expect(answer.text.hasSuffix(#""settled":false}"#))
    #expect(!other.isAnswered)
    await client.clock.advance(by: .milliseconds(500))
    #expect(try await other.answer.text.contains(#""value":0,"loadingState":"none""#))
    #expect(batch.count == 1 && other.count == 1)
  }

  @Test(arguments: [
    (nil, 415), ("text/plain", 415), ("application/json", 200),
    ("application/json; charset=utf-8", 200), ("Application/JSON;charset=\"UTF-8\"", 200),
    ("application/json; charset=latin1", 415), ("application/jsonx", 415),
  ])
  func `are refused if their content type is not JSON`(type: String?, status: Int) async throws {
    let path = try await client.session() + "/inputs"
    let target = try #require(RequestTarget(path))
    var request = HTTPRequest(.post, target, body: Array(#""increase""#.utf8))
    request.headers["Content-Type"] = type
    let pending = Pending()
    client.api.handle(request, pending)
    #expect(try await pending.answer.status == status)
  }

  @Test func `beyond the queue's limit are refused with Retry-After`() async throws {
    var limits = SessionLimits()
    limits.queuedInputs = 2
    let client = Client(limits: limits)
    let path = try await client.session("counter") + "/inputs"
    let accepted = try (0..<3).map { _ in try client.begin(.post, path, #""increase""#) }
    let refused = try await client.send(.post, path, #""increase""#)
    #expect(refused.status == 429)
    #expect(refused["Retry-After"] == "1")
    await client.clock.advance(by: .seconds(2))
    for pending in accepted { #expect(try await pending.answer.status == 200) }
    #expect(try await client.send(.post, path, #""increase""#).status == 200)
  }

  @Test func `of a batch are bounded by the batch's limit, not by the queue's`() async throws {
    var limits = SessionLimits()
    limits.queuedInputs = 2
    limits.batch = 5
    let client = Client(limits: limits)
    let session = try await client.session("notes")
    func send(_ count: Int) async throws -> Answer {
      let batch = "[" + Array(repeating: #"{"add":"a"}"#, count: count).joined(separator: ",") + "]"
      return try await client.send(
        .post,
        session + "/inputs",
        batch,
        headers: ["Idempotency-Key": "k"]
      )
    }
    let refused = try await send(6)
    #expect(refused.status == 413)
    #expect(try refused.member("type") == "/problems/batch-too-long")
    #expect(refused.text.contains(#""limit":5"#))
    #expect(try await client.send(.get, session).text.contains(#""notes":[]"#))
    // The key is free, as nothing was taken under it.
    #expect(try await send(5).status == 200)
  }

  @Test func `that are queued when their session is deleted are answered 410`() async throws {
    let path = try await client.session("counter")
    let running = try client.begin(.post, path + "/inputs", #""increase""#)
    let waiting = try client.begin(.post, path + "/inputs", #""increase""#)
    _ = try await client.send(.delete, path)
    #expect(try await waiting.answer.status == 410)
    #expect(try await running.answer.status == 200)
    await client.clock.idle()
    #expect(running.count == 1 && waiting.count == 1)
    #expect(try await client.send(.post, "/sessions/x/inputs", "1").status == 404)
  }

  @Test(arguments: ["counter", "counter-sync"])
  func `from 20 clients at once are all processed`(viewModel: String) async throws {
    var limits = SessionLimits()
    limits.queuedInputs = 2000
    let client = Client(limits: limits)
    let path = try await client.session(viewModel)
    let reader = try #require(try await client.send(.get, path + "/events").stream)
    let sent = try await withThrowingTaskGroup { group in
      for number in 0..<20 {
        group.addTask {
          try (0..<50).map { step in
            let input = (number + step) % 2 == 0 || viewModel == "counter-sync"
            return try client.begin(
              .post,
              path + "/inputs",
              input ? #""increase""# : #""decrease""#
            )
          }
        }
      }
      return try await group.reduce(into: []) { $0 += $1 }
    }
    await client.clock.advance(by: .seconds(600))
    for pending in sent { #expect(try await pending.answer.status == 200) }
    let last = try await client.send(.get, path).json()
    #expect(try last["state"]?["value"]?.decode(Int.self) == (viewModel == "counter" ? 0 : 1000))
    #expect(reader.read().contains("id: \(try #require(last["version"]).decode(Int.self))\n"))
  }
}
