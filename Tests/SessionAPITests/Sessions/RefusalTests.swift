import FusionHTTPMessages
import FusionHTTPToolkit
import FusionSessions
import FusionStoreDoubles
import FusionStrictJSON
import Testing
import UIFusionTesting

@testable import FusionSessionAPI

/// Every method on every resource of the table of routes that names a session, so that none is forgotten.
struct `A session of another identity` {
  /// The senders of requests, by what they hold.
  enum Holder: CaseIterable {
    /// A token of their own, and the session's id.
    case stranger
    /// No token, and the session's id.
    case nobody
    case observer, revoked, expired
  }

  /// The answers to an observer for the methods that each resource has.
  private static let answersToObserver: KeyValuePairs<String, [HTTPMethod: Int]> = [
    "/sessions/{id}": [.get: 200, .head: 200, .delete: 403],
    "/sessions/{id}/inputs": [.post: 403],
    "/sessions/{id}/events": [.get: 200, .head: 200],
    "/events": [.get: 200, .head: 200],
    "/sessions/{id}/shares": [.get: 403, .head: 403, .post: 403],
    "/sessions/{id}/shares/{share}": [.delete: 403],
    "/sessions/{id}/versions": [.get: 403, .head: 403],
    "/sessions/{id}/versions/{version}": [.get: 403, .head: 403],
    "/sessions/{id}/forks": [.post: 403],
    "/sessions/{id}/trace": [.get: 403, .head: 403],
  ]

  private static let bodies = [nil, "{}", #"{"role":"driver"}"#, #""increase""#]

  private let client: Client
  private let ada: HTTPHeaders = ["X-User": "ada"]

  init() {
    var options = SessionAPI.Options()
    options.allowsAnonymous = false
    let store = MemorySessionStore()
    // Its resources need a session's owner.
    options.inspector = SessionInspector(on: { $0() }) { MemorySessionArchive(store) }
    options.authenticate = { request, _, done in
      done(.success(request.headers["X-User"].map { RequestSender($0) }))
    }
    client = Client(options: options, store: store)
  }

  @Test func `is named by no resource that is missing in the table`() {
    let routes = (SessionRoutes.all.routes + SessionRoutes.inspection).map(\.pattern.openAPIPath)
    let named = routes.filter { $0.contains("{id}") || $0 == "/events" }
    #expect(Set(named) == Set(Self.answersToObserver.map(\.key)))
  }

  private func id(_ answer: Answer) throws -> String {
    let path = try #require(answer["Location"])
    return String(path.dropFirst("/sessions/".count))
  }

  private func share(_ session: String, _ more: String = "") async throws -> String {
    let body = #"{"role":"observer"\#(more)}"#
    return try id(try await client.send(.post, "/sessions/\(session)/shares", body, headers: ada))
  }

  @Test(arguments: Holder.allCases)
  func `is neither changed nor revealed, whatever the method and resource`(holder: Holder)
    async throws
  {
    let body = #"{"viewModel":"counter-sync"}"#
    let session = try id(try await client.send(.post, "/sessions", body, headers: ada))
    let other = try await share(session)
    let time = Timestamp(milliseconds: Int((client.host.shares.now + .seconds(30)).milliseconds))
    let expiring = try await share(session, #","expires":"\#(try #require(time).text)""#)
    var held = session
    switch holder {
    case .stranger, .nobody: break
    case .observer: held = try await share(session)
    case .expired:
      held = expiring
      await client.clock.advance(by: .seconds(31))
    case .revoked:
      held = try await share(session)
      let path = "/sessions/\(session)/shares/\(held)"
      #expect(try await client.send(.delete, path, headers: ada).status == 204)
    }
    let sender: HTTPHeaders = holder == .nobody ? [:] : ["X-User": "bob"]
    for (pattern, answers) in Self.answersToObserver {
      let path =
        pattern.replacing("{id}", with: held).replacing("{share}", with: other)
        .replacing("{version}", with: "1") + (pattern == "/events" ? "?session=\(held)" : "")
      for method in HTTPMethod.allCases {
        let status =
          switch (answers[method], holder) {
          case (nil, _): method == .options ? 204 : 405
          case (let answer?, .observer): answer
          case (_, .nobody): 401
          case (_, .stranger), (_, .revoked), (_, .expired): 404
          }
        // The body of a fork is read first: a wrong one is refused alike for every id.
        let bodies = pattern.hasSuffix("/forks") ? ["{}"] : Self.bodies
        for body in bodies {
          let answer = try await client.send(method, path, body, headers: sender)
          let name = Comment(rawValue: "\(method) \(path) \(body ?? "") of \(holder)")
          #expect(answer.status == status, name)
          answer.stream?.close()
          #expect(held == session || !answer.text.contains(session), name)
          #expect(!answer.text.contains(other), name)
        }
      }
    }
    let seen = try await client.send(.get, "/sessions/\(session)", headers: ada)
    #expect(seen.status == 200 && seen["ETag"] == "\"1\"")
    let shares = try await client.send(.get, "/sessions/\(session)/shares", headers: ada)
    #expect(shares.text.contains(other) && !shares.text.contains("driver"))
  }

  /// A use of a session, and what it answers to whoever may do everything, to a driver and to an observer.
  struct Use: CustomTestStringConvertible {
    let method: HTTPMethod
    let path: String
    var body: String?
    let owner: Int
    let driver: Int
    let observer: Int

    var testDescription: String { "\(method) \(path)" }
  }

  private static let uses: [Use] = [
    Use(method: .get, path: "/sessions/{id}", owner: 200, driver: 200, observer: 200),
    Use(method: .get, path: "/sessions/{id}/events", owner: 200, driver: 200, observer: 200),
    Use(method: .get, path: "/events?session={id}", owner: 200, driver: 200, observer: 200),
    Use(
      method: .post,
      path: "/sessions/{id}/inputs",
      body: #""increase""#,
      owner: 200,
      driver: 200,
      observer: 403
    ),
    Use(method: .get, path: "/sessions/{id}/shares", owner: 200, driver: 403, observer: 403),
    Use(
      method: .post,
      path: "/sessions/{id}/shares",
      body: #"{"role":"observer"}"#,
      owner: 201,
      driver: 403,
      observer: 403
    ),
    Use(
      method: .delete,
      path: "/sessions/{id}/shares/{share}",
      owner: 204,
      driver: 403,
      observer: 403
    ),
    Use(method: .get, path: "/sessions/{id}/versions", owner: 200, driver: 403, observer: 403),
    Use(method: .get, path: "/sessions/{id}/versions/1", owner: 200, driver: 403, observer: 403),
    Use(
      method: .post,
      path: "/sessions/{id}/forks",
      body: "{}",
      owner: 201,
      driver: 403,
      observer: 403
    ),
    Use(method: .get, path: "/sessions/{id}/trace", owner: 200, driver: 403, observer: 403),
    Use(method: .delete, path: "/sessions/{id}", owner: 204, driver: 403, observer: 403),
  ]

  @Test(arguments: uses, [false, true])
  func `grants each holder what they may do, awake or asleep`(use: Use, isAsleep: Bool)
    async throws
  {
    let body = #"{"viewModel":"counter-sync"}"#
    for (role, status) in [(nil, use.owner), ("driver", use.driver), ("observer", use.observer)] {
      let session = try id(try await client.send(.post, "/sessions", body, headers: ada))
      let shares = "/sessions/\(session)/shares"
      let other = try await share(session)
      var (held, sender) = (session, ada)
      if let role {
        let body = #"{"role":"\#(role)"}"#
        held = try id(try await client.send(.post, shares, body, headers: ada))
        sender = ["X-User": "bob"]
      }
      if isAsleep { #expect(await client.host.sleeper.putIdleToSleep(after: .zero) > 0) }
      let path = use.path.replacing("{id}", with: held).replacing("{share}", with: other)
      let answer = try await client.send(use.method, path, use.body, headers: sender)
      #expect(answer.status == status, "\(role ?? "owner")")
      answer.stream?.close()
      #expect(role == nil || !answer.text.contains(session))
    }
  }
}
