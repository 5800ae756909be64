import FusionCluster
import FusionHTTPMessages
import FusionMicrohttpdServer
import FusionRawHTTP
import Synchronization
import Testing

@Suite(.serialized, .timeLimit(.minutes(5)))
struct `The link to another node` {
  private typealias Answer = Result<NodeAnswer, NodeLinkError>

  private func send(_ request: NodeRequest, _ link: NodeLink) async -> Answer {
    await withCheckedContinuation { continuation in
      link.send(request) { continuation.resume(returning: $0) }
    }
  }

  @Test func `reuses its connection, and returns answers unchanged`() async throws {
    let server = try MicrohttpdServer(.init(port: 0)) { request, respond in
      var response = HTTPResponse(201, headers: ["X-Twice": "1"], body: .bytes(request.body))
      response.headers.append("X-Twice", "2")
      response.headers.append("X-Method", request.method.rawValue)
      response.headers.append("X-Type", request.headers["Content-Type"] ?? "none")
      respond(response)
    }
    let link = try #require(NodeLink())
    let address = "http://127.0.0.1:\(server.port)"
    for _ in 0..<3 {
      let body = [UInt8](repeating: 0x61, count: 60_000)
      let answer = try await send(NodeRequest(.post, "/a", at: address, body: body), link).get()
      #expect(answer.status == 201 && answer.body == body)
      #expect(answer.headers.list("X-Twice") == "1, 2")
      #expect(answer.headers["X-Method"] == "POST" && answer.headers["X-Type"] == "none")
    }
    let deletion = try await send(NodeRequest(.delete, "/a", at: address), link).get()
    #expect(deletion.headers["X-Method"] == "DELETE")
    #expect(server.connections == 1)
    link.stop()
    await server.stop(within: .zero)
  }

  @Test func `keeps each request's deadline, and a paused node delays no other node's requests`()
    async throws
  {
    let paused = try PausedServer()
    let server = try MicrohttpdServer(.init(port: 0)) { $1(HTTPResponse(200)) }
    var options = NodeLink.Options()
    (options.connectionsPerNode, options.waitingPerNode) = (1, 1)
    let link = try #require(NodeLink(options))
    func ask(_ port: Int, _ deadline: Duration) -> NodeRequest {
      NodeRequest(.post, "/", at: "http://127.0.0.1:\(port)", deadline: deadline)
    }
    let (answers, answered) = AsyncStream.makeStream(of: Answer.self)
    link.send(ask(paused.port, .milliseconds(600))) { answered.yield($0) }
    link.send(ask(paused.port, .milliseconds(200))) { answered.yield($0) }
    guard case .failure(.full) = await send(ask(paused.port, .seconds(60)), link) else {
      Issue.record("the queue has no limit")
      return
    }
    #expect(try await send(ask(server.port, .seconds(60)), link).get().status == 200)
    var inTime = answers.makeAsyncIterator()
    guard case .failure(.notSent) = await inTime.next(),
      case .failure(.noAnswer) = await inTime.next()
    else {
      Issue.record("sent and unsent requests are not told apart")
      return
    }
    let next = await send(ask(paused.port, .milliseconds(100)), link)
    guard case .failure(.noAnswer) = next else {
      Issue.record("the connection is not free again")
      return
    }
    link.stop()
    await server.stop(within: .zero)
  }

  @Test func `limits its connections to all nodes together`() async throws {
    let paused = try PausedServer()
    let server = try MicrohttpdServer(.init(port: 0)) { $1(HTTPResponse(200)) }
    var options = NodeLink.Options()
    // This leaves one connection for prompt requests.
    options.connections = 8
    let link = try #require(NodeLink(options))
    func ask(_ port: Int, _ deadline: Duration) -> NodeRequest {
      NodeRequest(.post, "/", at: "http://127.0.0.1:\(port)", deadline: deadline)
    }
    let (answers, answered) = AsyncStream.makeStream(of: Answer.self)
    link.send(ask(paused.port, .milliseconds(600))) { answered.yield($0) }
    let refused = await send(ask(server.port, .milliseconds(200)), link)
    guard case .failure(.notSent) = refused else {
      Issue.record("the limit was exceeded: \(refused)")
      return
    }
    // This request gets the connection next.
    #expect(try await send(ask(server.port, .seconds(60)), link).get().status == 200)
    var first = answers.makeAsyncIterator()
    guard case .failure(.noAnswer) = await first.next() else {
      Issue.record("the first request was not sent")
      return
    }
    link.stop()
    await server.stop(within: .zero)
  }

  @Test func `sends queued requests in order`() async throws {
    let order = Mutex<[String]>([])
    let server = try MicrohttpdServer(.init(port: 0)) { request, respond in
      order.withLock { $0.append(request.target.path) }
      respond(HTTPResponse(200))
    }
    var options = NodeLink.Options()
    options.connectionsPerNode = 1
    let link = try #require(NodeLink(options))
    let paths = (0..<50).map { "/\($0)" }
    let left = Mutex(paths.count)
    await withCheckedContinuation { continuation in
      for path in paths {
        link.send(NodeRequest(.get, path, at: "http://127.0.0.1:\(server.port)")) { _ in
          let isLast = left.withLock { left in
            left -= 1
            return left == 0
          }
          if isLast { continuation.resume() }
        }
      }
    }
    #expect(order.withLock(\.self) == paths)
    #expect(server.connections == 1)
    link.stop()
    await server.stop(within: .zero)
  }

  @Test func `reports that nothing was sent if nobody listens`() async throws {
    let link = try #require(NodeLink())
    let server = try MicrohttpdServer(.init(port: 0)) { $1(HTTPResponse(200)) }
    let address = "http://127.0.0.1:\(server.port)"
    await server.stop(within: .zero)
    guard case .failure(.notSent) = await send(NodeRequest(.post, "/", at: address), link) else {
      Issue.record("the request was sent")
      return
    }
    link.stop()
  }

  @Test(arguments: [(HTTPMethod.post, "1"), (.delete, "")])
  func `sends nothing twice if a reused connection breaks`(
    _ method: HTTPMethod,
    _ body: String
  ) async throws {
    let listener = try BrokenServer()
    let link = try #require(NodeLink())
    let request = NodeRequest(
      method,
      "/",
      at: "http://127.0.0.1:\(listener.port)",
      body: Array(body.utf8)
    )
    async let requests = onThread { try listener.answerOneAndBreakOff(body) }
    #expect(try await send(request, link).get().status == 200)
    guard case .failure(.noAnswer) = await send(request, link) else {
      Issue.record("the request was not in doubt")
      return
    }
    link.stop()
    #expect(try await requests == 2)
  }

  @Test func `gives up requests that time out and answers that are too long`() async throws {
    let held = Mutex<[any HTTPResponder]>([])
    let server = try MicrohttpdServer(.init(port: 0)) { request, respond in
      if request.target.path == "/long" {
        respond(HTTPResponse(200, body: .bytes([UInt8](repeating: 0, count: 5_000))))
      } else {
        held.withLock { $0.append(respond) }
      }
    }
    var options = NodeLink.Options()
    options.answerBytes = 4_000
    let link = try #require(NodeLink(options))
    let address = "http://127.0.0.1:\(server.port)"
    for path in ["/never", "/long"] {
      let request = NodeRequest(.get, path, at: address, deadline: .milliseconds(100))
      guard case .failure(.noAnswer) = await send(request, link) else {
        Issue.record("\(path) was answered")
        return
      }
    }
    held.withLock { $0 = [] }
    link.stop()
    await server.stop(within: .zero)
  }
}
