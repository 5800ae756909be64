import FusionHTTPMessages
import FusionSessionAPI
import FusionStrictJSON
import Testing
import UIFusionTesting

struct `If-Match on Inputs` {
  private let client = Client()

  private static let conditions: [(lines: [String], status: Int)] = [
    ([#""1""#], 200), (["*"], 200), ([" * "], 200), ([#""7", "1""#], 200), ([#""7","1","9""#], 200),
    ([#""7""#, #""1""#], 200), ([#", "1" ,"#], 200), ([#""a,b","1""#], 200),
    ([#""2""#], 412), ([#"W/"1""#], 412), ([#"W/"1", "2""#], 412), ([#""""#], 412),
    ([#""01""#], 412),
    ([""], 412), ([#""é""#], 412),
    (["1"], 400), ([#""1"#], 400), ([#"1""#], 400), ([#""1" "2""#], 400), ([#"*, "1""#], 400),
    ([#""1", *"#], 400), ([#"w/"1""#], 400), ([#"W "1""#], 400), ([#"W1"#], 400),
    ([#""a b""#], 400),
    (["**"], 400),
  ]

  @Test(arguments: conditions)
  func `is compared strongly, and refused if malformed`(lines: [String], status: Int) async throws {
    let path = try await client.session() + "/inputs"
    let headers = HTTPHeaders(lines.map { HTTPHeaders.Field(name: "if-match", value: $0) })
    let answer = try await client.send(.post, path, #""increase""#, headers: headers)
    #expect(answer.status == status)
    let after = try await client.send(.post, path, "[]")
    #expect(after.text.contains(status == 200 ? #""version":2,"# : #""version":1,"#))
    if status == 400 { #expect(try answer.member("type") == "/problems/malformed-condition") }
  }

  @Test func `that fails is answered with the current snapshot, and nothing is applied`()
    async throws
  {
    let path = try await client.session() + "/inputs"
    _ = try await client.send(.post, path, #""increase""#)
    let answer = try await client.send(
      .post,
      path,
      #"["increase","increase"]"#,
      headers: ["If-Match": "\"1\"", "Prefer": "wait=5, return=minimal"]
    )
    #expect(answer.status == 412)
    #expect(answer["Content-Type"] == "application/problem+json")
    #expect(answer["Preference-Applied"] == nil)
    #expect(try answer.member("type") == "/problems/precondition-failed")
    #expect(
      answer.text.hasSuffix(
        #","current":{"version":2,"state":{"value":1,"isReset":false,"#
          + #""showAlert":{"value":null,"pulse":0}}}}"#
      )
    )
    #expect(try await client.send(.post, path, "[]").text.contains(#""version":2,"#))
  }

  @Test(arguments: [#"W/"1""#, #""7", W/"1""#, #"W/"5""#, #", W/"""#, #""1-gzip""#])
  func `that a proxy has altered is refused with the reason, not as an older version`(tag: String)
    async throws
  {
    let path = try await client.session() + "/inputs"
    let headers: HTTPHeaders = ["If-Match": tag]
    let answer = try await client.send(.post, path, #""increase""#, headers: headers)
    #expect(answer.status == 412)
    #expect(try answer.member("type") == "/problems/precondition-failed")
    #expect(try answer.member("detail")?.contains("a weak tag never matches") == true)
    #expect(answer.text.contains(#""current":{"version":1,"#))
    let older = try await client.send(.post, path, "[]", headers: ["If-Match": "\"9\""])
    #expect(older.status == 412 && !older.text.contains("weak"))
  }

  @Test func `is evaluated when the Inputs are processed, once for a batch`() async throws {
    let path = try await client.session("counter") + "/inputs"
    let condition: HTTPHeaders = ["If-Match": "\"1\""]
    let batch = #"["increase","increase"]"#
    let first = try client.begin(.post, path, batch, headers: condition)
    // Queued at version 2, and processed at version 5.
    let stale = try client.begin(.post, path, #""increase""#, headers: ["If-Match": "\"2\""])
    let fitting = try client.begin(.post, path, #""increase""#, headers: ["If-Match": "\"5\""])
    await client.clock.advance(by: .seconds(2))
    #expect(try await first.answer.status == 200)
    #expect(try await stale.answer.status == 412)
    #expect(try await stale.answer.json()["current"]?["version"]?.decode(Int.self) == 5)
    #expect(try await fitting.answer.status == 200)
    #expect(try await client.send(.post, path, "[]").text.contains(#""value":3"#))
  }

  @Test func `that fails after the end of its wait applies nothing`() async throws {
    let path = try await client.session("slow") + "/inputs"
    _ = try client.begin(.post, path, "5")
    let headers: HTTPHeaders = ["If-Match": "\"2\"", "Prefer": "wait=1", "Idempotency-Key": "k"]
    let pending = try client.begin(.post, path, "1", headers: headers)
    await client.clock.advance(by: .seconds(1))
    #expect(try await pending.answer.status == 202)
    #expect(try await pending.answer.text == #"{"version":2,"state":-5}"#)
    await client.clock.advance(by: .seconds(10))
    #expect(try await client.send(.post, path, "[]").text.contains(#""state":5,"#))
    #expect(pending.count == 1)
    // Its key is free, as nothing was applied.
    let again = try client.begin(.post, path, "2", headers: ["Idempotency-Key": "k"])
    #expect(try await again.answer.status == 200)
  }

  @Test func `is refused with respond-async`() async throws {
    let path = try await client.session() + "/inputs"
    for preference in ["respond-async", "respond-async, wait=5"] {
      let answer = try await client.send(
        .post,
        path,
        #""increase""#,
        headers: ["If-Match": "*", "Prefer": preference]
      )
      #expect(answer.status == 400)
      #expect(try answer.member("type") == "/problems/unanswered-condition")
    }
    #expect(try await client.send(.post, path, "[]").text.contains(#""version":1,"#))
  }
}
