import FusionHTTPMessages
import FusionSessionAPI
import FusionSessions
import FusionStrictJSON
import Testing
import UIFusionTesting

struct `Sessions over HTTP` {
  private let client = Client()

  @Test func `are created with an id, a version, a State and a tag`() async throws {
    let answer = try await client.send(.post, "/sessions", #"{"viewModel":"counter-sync"}"#)
    #expect(answer.status == 201)
    let id = try #require(try answer.member("id"))
    #expect(SessionID(id) != nil)
    #expect(answer["Location"] == "/sessions/\(id)")
    #expect(answer["ETag"] == "\"1\"")
    #expect(answer["Content-Type"] == "application/json")
    #expect(
      answer.text
        == #"{"id":"\#(id)","viewModel":"counter-sync","version":1,"#
        + #""state":{"value":0,"isReset":false,"showAlert":{"value":null,"pulse":0}},"#
        + #""settled":true}"#
    )
  }

  @Test func `are shown with their current State`() async throws {
    let path = try await client.session()
    _ = try await client.send(.post, path + "/inputs", #""increase""#)
    let answer = try await client.send(.get, path)
    #expect(answer.status == 200)
    #expect(answer["ETag"] == "\"2\"")
    #expect(answer.text.contains(#""version":2,"state":{"value":1"#))
  }

  @Test func `are answered 304 to a client with the current version`() async throws {
    let path = try await client.session()
    for known in ["\"1\"", "W/\"1\"", "\"0\" , \"1\"", "*"] {
      let answer = try await client.send(.get, path, headers: ["If-None-Match": known])
      #expect(answer.status == 304)
      #expect(answer["ETag"] == "\"1\"")
      #expect(answer.text == "")
    }
    let answer = try await client.send(.get, path, headers: ["If-None-Match": "\"2\""])
    #expect(answer.status == 200)
  }

  @Test func `tell whether they are settled`() async throws {
    let path = try await client.session("counter")
    #expect(try await client.send(.get, path).json()["settled"]?.bool == true)
    _ = try await client.send(.post, path + "/inputs", #""increase""#)
    #expect(try await client.send(.get, path).json()["settled"]?.bool == false)
    await client.clock.advance(by: .seconds(1))
    #expect(try await client.send(.get, path).json()["settled"]?.bool == true)
  }

  @Test func `are answered 410 once deleted, and 404 if unknown`() async throws {
    let path = try await client.session()
    #expect(try await client.send(.delete, path).status == 204)
    for (method, path) in [
      (HTTPMethod.get, path), (.delete, path), (.get, path + "/events"), (.post, path + "/inputs"),
    ] {
      let answer = try await client.send(method, path, method == .post ? #""increase""# : nil)
      #expect(answer.status == 410)
      #expect(try answer.member("type") == "/problems/ended-session")
    }
    for id in ["AAAAAAAAAAAAAAAAAAAAAA", "x", "%20"] {
      let answer = try await client.send(.get, "/sessions/\(id)")
      #expect(answer.status == 404)
      #expect(try answer.member("type") == "/problems/unknown-session")
    }
  }

  @Test(arguments: [
    (#"{"viewModel":"nope"}"#, 422, "/problems/unknown-view-model"),
    (#"{}"#, 422, "/problems/invalid-request"),
    (#"{"viewModel":7}"#, 422, "/problems/invalid-request"),
    (#"[]"#, 422, "/problems/invalid-request"),
    (#"{"viewModel":"counter","x":1}"#, 400, "/problems/unknown-member"),
    (#"{"viewModel":"counter"} x"#, 400, "/problems/malformed-json"),
    (#""#, 400, "/problems/malformed-json"),
    (#"{"viewModel":"counter","viewModel":"counter"}"#, 400, "/problems/malformed-json"),
    (#"{"viewModel":"counter","parameters":{"a":1}}"#, 422, "/problems/invalid-parameters"),
    (#"{"viewModel":"counter","parameters":5}"#, 422, "/problems/invalid-parameters"),
    (#"{"viewModel":"notes","parameters":{"owner":5}}"#, 422, "/problems/invalid-parameters"),
    (#"{"viewModel":"notes","parameters":{"size":11}}"#, 422, "/problems/invalid-parameters"),
  ])
  func `are not created by an invalid request, and its answer says why`(
    body: String,
    status: Int,
    type: String
  ) async throws {
    let answer = try await client.send(.post, "/sessions", body)
    #expect(answer.status == status)
    #expect(answer["Content-Type"] == "application/problem+json")
    #expect(try answer.member("type") == type)
    #expect(client.host.directory.count == 0)
  }

  @Test func `are refused with the faulty member, or the known view models`() async throws {
    let unknown = try await client.send(.post, "/sessions", #"{"viewModel":"counter","x":1}"#)
    #expect(try unknown.member("member") == "x")
    let parameter = try await client.send(
      .post,
      "/sessions",
      #"{"viewModel":"notes","parameters":{"owner":5}}"#
    )
    #expect(try parameter.member("member") == "owner")
    let nope = try await client.send(.post, "/sessions", #"{"viewModel":"nope"}"#)
    #expect(nope.text.contains(#""known":["counter","counter-sync","slow","notes"]"#))
  }

  @Test(arguments: [#"{"owner":"Ada"}"#, #"{"owner":"Ada","size":null}"#])
  func `pass their parameters to the view model`(parameters: String) async throws {
    let body = #"{"viewModel":"notes","parameters":\#(parameters)}"#
    let answer = try await client.send(.post, "/sessions", body)
    #expect(answer.status == 201)
    #expect(answer.text.contains(#""owner":"Ada""#))
  }

  @Test func `are refused beyond the limit`() async throws {
    var limits = SessionLimits()
    limits.sessions = 2
    let client = Client(limits: limits)
    let paths = [try await client.session(), try await client.session()]
    let refused = try await client.send(.post, "/sessions", #"{"viewModel":"counter"}"#)
    #expect(refused.status == 503)
    #expect(refused["Retry-After"] != nil)
    #expect(try await client.send(.get, paths[0]).status == 200)
    _ = try await client.send(.delete, paths[0])
    _ = try await client.session()
  }

  @Test func `are not created while the service stops, but existing ones go on`() async throws {
    let path = try await client.session()
    client.api.readiness.phase = .leaving
    _ = try await client.session()
    client.api.readiness.phase = .draining
    let refused = try await client.send(.post, "/sessions", #"{"viewModel":"counter"}"#)
    #expect(refused.status == 503)
    #expect(try refused.member("type") == "/problems/draining")
    #expect(try await client.send(.post, path + "/inputs", #""increase""#).status == 200)
  }
}
