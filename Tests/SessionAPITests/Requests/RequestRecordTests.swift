import FusionHTTPMessages
import FusionHTTPToolkit
import FusionSessionAPI
import Synchronization
import Testing
import UIFusionTesting

/// The records that were passed to the log.
final class Records: Sendable {
  private let records = Mutex<[RequestRecord]>([])
  var all: [RequestRecord] { records.withLock { $0 } }
  func add(_ record: RequestRecord) { records.withLock { $0.append(record) } }

  /// Returns a client of the API with all of its steps.
  func client(files: FileIndex = .empty) -> Client {
    var options = SessionAPI.Options()
    options.log = { [self] in add($0) }
    options.access = AccessPolicy(
      hosts: AllowedHosts(["a"]),
      origins: AllowedOrigins(["https://b"])
    )
    return Client(options: options, files: files)
  }
}

struct `A request's record` {
  private let records = Records()
  private let client: Client

  init() {
    client = records.client()
  }

  private func check(_ method: HTTPMethod, _ target: String, _ body: String? = nil) async throws {
    _ = try await client.send(method, target, body, headers: ["X-Request-Id": "a-1", "Host": "a"])
  }

  @Test(arguments: [
    (HTTPMethod.get, "/healthz", "/healthz", 200, nil),
    (.head, "/view-models/counter?x", "/view-models/{name}", 200, nil),
    (.get, "/nothing/there", "/*", 404, "/problems/not-found"),
    (.put, "/sessions", "/sessions", 405, "/problems/method-not-allowed"),
    (.get, "/sessions/AAAAAAAAAAAAAAAAAAAAAA", "/sessions/{id}", 404, "/problems/unknown-session"),
    (.options, "/events", "/events", 204, nil),
  ])
  func `has the pattern of the route, and the status and problem of the answer`(
    method: HTTPMethod,
    target: String,
    route: String,
    status: Int,
    problem: String?
  ) async throws {
    try await check(method, target)
    let record = try #require(records.all.first)
    #expect(records.all.count == 1)
    #expect(record.id.description == "a-1")
    #expect(record.method == method && record.route == route)
    #expect(record.status == status && record.problem == problem)
    #expect(record.duration >= .zero)
  }

  @Test func `is made once, even if the answer takes a while`() async throws {
    let session = try await client.session("counter")
    let pending = try client.begin(
      .post,
      session + "/inputs",
      #""increase""#,
      headers: ["Prefer": "wait=5", "Idempotency-Key": "k"]
    )
    #expect(records.all.map(\.route) == ["/sessions"])
    await client.clock.advance(by: .seconds(1))
    #expect(try await pending.answer.status == 200)
    #expect(records.all.map(\.route) == ["/sessions", "/sessions/{id}/inputs"])
  }

  @Test func `has only the beginning of the id in the path`()
    async throws
  {
    let session = try await client.session()
    let id = String(session.dropFirst("/sessions/".count))
    try await check(.get, session)
    try await check(.get, "/sessions/\(id)/nothing")
    #expect(records.all.map(\.subject) == [nil, id.prefix(6) + "…", nil])
    try await check(.post, session + "/shares", #"{"role":"observer"}"#)
    let share = try #require(
      try await client.send(.get, session + "/shares").text.split(separator: "\"").dropFirst(5)
        .first
    )
    try await check(.get, "/sessions/\(share)")
    #expect(records.all.last?.subject == share.prefix(6) + "…" && records.all.last?.status == 200)
  }

  @Test func `is made for requests that are refused before their route`() async throws {
    _ = try await client.send(.get, "/sessions", headers: ["Host": "evil"])
    #expect(records.all.first?.problem == "/problems/misdirected-request")
    let id = try #require(RequestID("b-2"))
    var connection = ConnectionInfo()
    connection.client = IPAddress("192.0.2.7")
    let rejected = RejectedRequest(
      .badHost,
      id: id,
      method: nil,
      headers: [:],
      connection: connection
    )
    let answer = Answer(client.api.answer(to: rejected))
    #expect(try answer.member("requestId") == "b-2")
    let record = try #require(records.all.last)
    #expect(record.id == id && record.method == nil && record.route == nil)
    #expect(record.status == 400 && record.problem == "/problems/bad-host")
    #expect(record.bytes == answer.bytes?.count && record.subject == nil)
    #expect(record.client == connection.client)
  }

  @Test func `is not made again if the handler answers after a stop has`() async throws {
    let session = try await client.session("counter")
    let input = session + "/inputs"
    let headers: HTTPHeaders = ["X-Request-Id": "a-1", "Prefer": "wait=5"]
    let pending = try client.begin(.post, input, #""increase""#, headers: headers)
    let id = try #require(RequestID("a-1"))
    _ = client.api.answer(to: RejectedRequest(.storeInDoubt, id: id, method: .post, headers: [:]))
    await client.clock.advance(by: .seconds(1))
    #expect(pending.isAnswered)
    #expect(records.all.map(\.status) == [201, 503])
  }
}

struct `A problem` {
  private let client = Records().client()

  @Test(arguments: ["Host", "X-Request-Id"])
  func `carries the request's id`(host: String) async throws {
    let headers: HTTPHeaders = ["X-Request-Id": "a-1", "Host": host == "Host" ? "evil" : "a"]
    let answer = try await client.send(.get, "/nothing", headers: headers)
    #expect(answer.status == (host == "Host" ? 421 : 404))
    #expect(try answer.member("requestId") == "a-1")
  }

  @Test func `carries a new id if the request has no valid one`() async throws {
    let ids = [
      try await client.send(.get, "/nothing").member("requestId"),
      try await client.send(.get, "/nothing", headers: ["X-Request-Id": "a b"]).member("requestId"),
    ]
    #expect(Set(ids).count == 2)
    for id in ids { #expect(RequestID(try #require(id)) != nil) }
  }

  @Test func `of a request that the server rejects is readable for pages of allowed origins`()
    throws
  {
    let rejected = RejectedRequest(
      .contentTooLarge.limited(to: 7),
      id: .new(),
      method: .post,
      headers: ["Origin": "https://b"]
    )
    let answer = Answer(client.api.answer(to: rejected))
    #expect(answer["Access-Control-Allow-Origin"] == "https://b")
    #expect(answer.status == 413 && answer["Content-Type"] == "application/problem+json")
  }
}
