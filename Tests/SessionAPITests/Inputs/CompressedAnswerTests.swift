import FusionHTTPMessages
import FusionInflater
import FusionSessions
import Testing
import UIFusionTesting

struct `An answer to Inputs` {
  private let client = Client()
  private let input = #"{"add":"one more"}"#

  /// Creates a session with a large State, and returns its path.
  private func large() async throws -> String {
    let path = try await client.session("notes")
    let note = #"{"add":"a note that comes again and again"}"#
    let notes = [String](repeating: note, count: 40).joined(separator: ",")
    #expect(try await client.send(.post, path + "/inputs", "[\(notes)]").status == 200)
    return path
  }

  private func inflated(_ answer: Answer) throws -> String {
    let inflater = try Inflater()
    let text = try inflater.read(try #require(answer.bytes))
    #expect(inflater.isAtEnd)
    return String(decoding: text, as: UTF8.self)
  }

  @Test(arguments: ["gzip", "gzip, deflate, br, zstd", "*;q=0.1"])
  func `is compressed if it is large and the client accepts gzip`(accepted: String) async throws {
    let (path, small) = (try await large(), try await client.session("notes"))
    let headers: HTTPHeaders = ["Accept-Encoding": accepted]
    let plain = try await client.send(.post, path + "/inputs", input)
    #expect(plain["Content-Encoding"] == nil && plain.text.hasPrefix(#"{"version":42,"state":{"#))
    let answer = try await client.send(.post, path + "/inputs", input, headers: headers)
    #expect(answer.status == 200 && answer["Content-Type"] == "application/json")
    #expect(answer["Content-Encoding"] == "gzip" && answer["Vary"] == "Accept-Encoding")
    // A strong tag would be the compressed form's, which no If-Match could name.
    #expect(answer["ETag"] == nil)
    #expect(try #require(answer.bytes).count < plain.text.utf8.count / 5)
    let next = plain.text.replacing("\"version\":42", with: "\"version\":43")
      .replacing(#""],"owner"#, with: #"","one more"],"owner"#)
    #expect(try inflated(answer) == next)
    let short = try await client.send(.post, small + "/inputs", input, headers: headers)
    #expect(short.status == 200 && short["Content-Encoding"] == nil)
    #expect(short.text.hasPrefix(#"{"version":2,"#))
  }

  @Test(arguments: ["identity", "gzip;q=0", "br", "gzip;q=0.5, identity"])
  func `is not compressed for other clients`(accepted: String) async throws {
    let path = try await large()
    let headers: HTTPHeaders = ["Accept-Encoding": accepted]
    let answer = try await client.send(.post, path + "/inputs", input, headers: headers)
    #expect(answer["Content-Encoding"] == nil)
    #expect(answer.text.hasPrefix(#"{"version":42,"#))
  }

  @Test func `is compressed with conditions, keys and preferences, too`() async throws {
    let path = try await large()
    let headers: HTTPHeaders = [
      "Accept-Encoding": "gzip", "If-Match": "\"41\"", "Idempotency-Key": "k", "Prefer": "wait=1",
    ]
    for isReplayed in [false, true] {
      let answer = try await client.send(.post, path + "/inputs", input, headers: headers)
      #expect(answer.status == 200 && answer["Content-Encoding"] == "gzip")
      #expect(answer["Preference-Applied"] == "wait=1")
      #expect(answer["Idempotency-Replayed"] == (isReplayed ? "true" : nil))
      #expect(try inflated(answer).hasSuffix(#","settled":true}"#))
    }
    var minimal: HTTPHeaders = ["Accept-Encoding": "gzip", "Prefer": "return=minimal"]
    let empty = try await client.send(.post, path + "/inputs", input, headers: minimal)
    #expect(empty.status == 204 && empty["ETag"] == "\"43\"" && empty["Content-Encoding"] == nil)
    // The tag is the version's, whatever the answer's coding is.
    minimal["If-Match"] = empty["ETag"]
    #expect(try await client.send(.post, path + "/inputs", input, headers: minimal).status == 204)
    let async: HTTPHeaders = ["Accept-Encoding": "gzip", "Prefer": "respond-async"]
    let queued = try await client.send(.post, path + "/inputs", input, headers: async)
    #expect(queued.status == 202 && queued["Content-Encoding"] == "gzip")
    let text = try inflated(queued)
    #expect(text.hasPrefix(#"{"version":"#) && text.hasSuffix(#"],"owner":null}}"#))
  }

  @Test func `is not compressed while memory is short`() async throws {
    let path = try await large()
    client.host.memory.set(isShort: true, isFull: false)
    let headers: HTTPHeaders = ["Accept-Encoding": "gzip"]
    let answer = try await client.send(.post, path + "/inputs", input, headers: headers)
    #expect(answer.status == 200 && answer["Content-Encoding"] == nil)
    #expect(answer.text.hasPrefix(#"{"version":42,"#))
  }

  /// The size of a compressed answer with an id and a State could reveal the id.
  @Test func `that carries an id is never compressed`() async throws {
    let path = try await large()
    let headers: HTTPHeaders = ["Accept-Encoding": "gzip"]
    let shown = try await client.send(.get, path, headers: headers)
    let owner = String(repeating: "x", count: 3_000)
    let made = try await client.send(
      .post,
      "/sessions",
      #"{"viewModel":"notes","parameters":{"owner":"\#(owner)"}}"#,
      headers: headers
    )
    for answer in [shown, made] {
      #expect(answer["Content-Encoding"] == nil && answer.text.hasPrefix(#"{"id":"#))
      #expect(answer.text.utf8.count > 1_024)
    }
    #expect(shown["ETag"] == "\"41\"")
  }
}
