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
    let time = Timestamp(milliseconds: Int((client.host.now + .seconds(30)).milliseconds))
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
}
