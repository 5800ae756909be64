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
    let refusal = holder == .nobody ? 401 : holder == .observer ? 403 : 404
    var asked = 0
    for route in SessionRoutes.all.routes + SessionRoutes.inspection {
      let pattern = route.pattern.openAPIPath
      guard pattern.contains("{id}") || pattern == "/events" else { continue }
      let isPast = pattern.contains(/versions|forks/)
      let path =
        pattern.replacing("{id}", with: held).replacing("{share}", with: other)
        .replacing("{version}", with: "1") + (pattern == "/events" ? "?session=\(held)" : "")
      for method in HTTPMethod.allCases {
        asked += 1
        let bodies: [String?] =
          isPast ? ["{}"] : [nil, #"{"role":"driver"}"#, #""increase""#, "{}"]
        for body in bodies {
          let answer = try await client.send(method, path, body, headers: sender)
          let name = Comment(rawValue: "\(method) \(path) \(body ?? "") of \(holder)")
          let isRead =
            [.get, .head].contains(method) && !isPast && !pattern.contains(/shares|trace/)
          switch method {
          case .options: #expect(answer.status == 204, name)
          case _ where !route.methods.contains(method): #expect(answer.status == 405, name)
          case _ where holder == .observer && isRead: #expect(answer.status == 200, name)
          default: #expect(answer.status == refusal, name)
          }
          answer.stream?.close()
          #expect(held == session || !answer.text.contains(session), name)
          #expect(!answer.text.contains(other), name)
        }
      }
    }
    #expect(asked >= 6 * HTTPMethod.allCases.count)
    let seen = try await client.send(.get, "/sessions/\(session)", headers: ada)
    #expect(seen.status == 200 && seen["ETag"] == "\"1\"")
    let shares = try await client.send(.get, "/sessions/\(session)/shares", headers: ada)
    #expect(shares.text.contains(other) && !shares.text.contains("driver"))
  }
}
