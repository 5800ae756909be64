import FusionHTTPMessages
import FusionSessions
import FusionStoreDoubles
import Testing
import UIFusionKit
import UIFusionServer
import UIFusionTesting

@testable import FusionSessionAPI

/// A rule that depends on State, of a session that belongs to nobody.
struct `A view model's rule about State` {
  private static let patterns = ["reduced", "plain", "async", "reactor"]
  private let client: Client

  init() {
    var options = SessionAPI.Options()
    options.allowsAnonymous = true
    options.authenticate = { request, _, done in
      done(
        .success(
          request.headers["X-User"].map { user in
            user == "program" ? .program : RequestSender(user, details: Identity(id: user))
          }
        )
      )
    }
    client = Client(options: options, store: MemorySessionStore()) {
      $0.host("reduced", summary: "") { _ in ReducedSeats() }
      $0.host("plain", summary: "") { _ in PlainSeats() }
      $0.host("async", summary: "") { _ in AsyncSeats() }
      $0.host("reactor", summary: "") { _ in SeatReactor() }
    }
    client.api.connectSessions()
  }

  private func create(
    _ viewModel: String = "reduced",
    by user: String = "ada",
    scope: String = "shared"
  ) async throws -> String {
    let body = #"{"viewModel":"\#(viewModel)","scope":"\#(scope)"}"#
    let created = try await client.send(.post, "/sessions", body, headers: ["X-User": user])
    return try #require(created["Location"])
  }

  private func send(
    _ inputs: String,
    to path: String,
    by user: String?,
    key: String? = nil
  ) async throws -> Answer {
    var headers: HTTPHeaders = [:]
    headers["X-User"] = user
    headers["Idempotency-Key"] = key
    return try await client.send(.post, path + "/inputs", inputs, headers: headers)
  }

  private func state(of path: String) async throws -> String {
    try await client.send(.get, path, headers: ["X-User": "ada"]).text
  }

  @Test(arguments: patterns)
  func `denies an Input with a sentence, and changes nothing`(pattern: String) async throws {
    let path = try await create(pattern)
    #expect(try await send(#"{"take":1}"#, to: path, by: "ada").status == 200)
    let before = try await state(of: path)
    for user in ["bob", nil] {
      let denied = try await send(#"{"leave":1}"#, to: path, by: user)
      #expect(denied.status == 403 && !denied.text.contains("index"))
      #expect(try denied.member("type") == "/problems/not-permitted-now")
      #expect(try denied.member("detail") == "ada sits there.")
    }
    #expect(try await state(of: path) == before)
    #expect(try await send(#"{"leave":1}"#, to: path, by: "ada").status == 200)
    #expect(try await send(#"{"leave":1}"#, to: path, by: "bob").status == 200)
  }

  @Test(arguments: patterns)
  func `drops the rest of a batch, and names the Input`(pattern: String) async throws {
    let path = try await create(pattern)
    _ = try await send(#"{"take":1}"#, to: path, by: "ada")
    let batch = #"[{"take":2},{"leave":2},{"take":3},{"leave":1},{"take":4}]"#
    let denied = try await send(batch, to: path, by: "bob")
    #expect(denied.status == 403 && denied.text.contains(#""index":3"#))
    let shown = try await state(of: path)
    #expect(shown.contains(#""sitting":{"1":"ada","3":"bob"}"#), "\(shown)")
  }

  @Test func `leaves the key of a denied Input free`() async throws {
    let path = try await create()
    _ = try await send(#"{"take":1}"#, to: path, by: "ada")
    #expect(try await send(#"{"leave":1}"#, to: path, by: "bob", key: "k").status == 403)
    #expect(try await send(#"{"leave":1}"#, to: path, by: "ada").status == 200)
    #expect(try await send(#"{"leave":1}"#, to: path, by: "bob", key: "k").status == 200)
  }

  @Test func `refuses the message of a session that another person has`() async throws {
    let path = try await create()
    let id = path.dropFirst("/sessions/".count)
    _ = try await send(#"{"take":1}"#, to: path, by: "ada")
    for (user, refusals) in [("bob", 1), ("ada", 0)] {
      let desk = try await create(by: user, scope: "own")
      _ = try await send(#"{"ask":{"_0":"\#(id)","leave":1}}"#, to: desk, by: user)
      await client.clock.idle()
      let shown = try await client.send(.get, desk, headers: ["X-User": user]).text
      #expect(shown.contains(#""refusals":\#(refusals)"#), "\(shown)")
    }
    #expect(try await state(of: path).contains(#""sitting":{}"#))
  }

  @Test func `tells a session's message from a client's Input`() async throws {
    let path = try await create()
    let denied = try await send(#""knock""#, to: path, by: "ada")
    #expect(try denied.member("detail") == "Only a session knocks.")
    let desk = try await create(by: "ada", scope: "own")
    _ = try await send(#"{"send":"\#(path.dropFirst("/sessions/".count))"}"#, to: desk, by: "ada")
    await client.clock.idle()
    #expect(try await state(of: path).contains(#""sitting":{"0":"door"}"#))
  }

  @Test func `is not asked for the program`() async throws {
    let path = try await create()
    _ = try await send(#"{"take":1}"#, to: path, by: "ada")
    #expect(try await send(#"{"leave":1}"#, to: path, by: "program").status == 200)
  }
}
