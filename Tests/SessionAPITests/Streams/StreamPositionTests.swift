import FusionHTTPMessages
import FusionSessionAPI
import FusionSessions
import Synchronization
import Testing

/// A locator that notes the versions that clients have.
private final class NotingLocator: SessionLocator {
  let seen = Mutex<[Int]>([])
  private let local: LocalSessionLocator

  init(_ host: SessionHost) {
    local = LocalSessionLocator(host)
  }

  func locate(
    _ ids: [SessionID],
    for request: SessionRequest,
    _ done: @escaping @Sendable (SessionRequest, WakeFailure?) -> Void
  ) {
    local.locate(ids, for: request, done)
  }

  func delete(
    _ id: SessionID,
    if check: @escaping PermissionCheck,
    for request: SessionRequest,
    _ done: @escaping @Sendable (SessionRequest, SessionDeletion) -> Void
  ) {
    local.delete(id, if: check, for: request, done)
  }

  func follow(
    _ sessions: [(id: SessionID, seen: Int)],
    _ done: @escaping @Sendable ([FollowedSession]) -> Void
  ) {
    seen.withLock { $0 = sessions.map(\.seen) }
    local.follow(sessions, done)
  }
}

struct `The position of a stream` {
  @Test func `tells the locator the version of each session, by the ids that its client uses`()
    async throws
  {
    let local = Client()
    let locator = NotingLocator(local.host)
    let client = Client(local, locatedBy: locator)
    let path = try await client.session()
    try await client.send(.post, path + "/inputs", #""increase""#)
    let body = #"{"role":"observer"}"#
    let shared = try #require(try await client.send(.post, path + "/shares", body)["Location"])
    let other = try await client.session()
    let names = [shared, other, path].map { $0.dropFirst("/sessions/".count) }
    let target = "/events?session=\(names[0])&session=\(names[1])"
    let id = "\(names[0].prefix(6))2.\(names[1].prefix(6))1"
    _ = try await client.follow(target + "&session=\(names[2])", headers: ["Last-Event-ID": id])
    #expect(locator.seen.withLock { $0 } == [2, 1, 0])
    _ = try await client.follow(shared + "/events", headers: ["Last-Event-ID": "2"])
    #expect(locator.seen.withLock { $0 } == [2])
  }

  @Test func `tells no version of ids with the same prefix`() async throws {
    let local = Client()
    let locator = NotingLocator(local.host)
    let client = Client(local, locatedBy: locator)
    let name = try await client.session().dropFirst("/sessions/".count)
    let id = "\(name.prefix(6))1.\(name.prefix(6))2"
    _ = try await client.follow("/events?session=\(name)", headers: ["Last-Event-ID": id])
    #expect(locator.seen.withLock { $0 } == [0])
  }
}
