import FusionHTTPMessages
import FusionMicrohttpdServer
import FusionNodeLink
import FusionRawHTTP
import Glibc
import Synchronization
import Testing

@Suite(.serialized, .timeLimit(.minutes(5)))
struct `The way to another node` {
  private typealias Answer = Result<NodeAnswer, NodeLinkError>

  private func send(_ request: NodeRequest, _ link: NodeLink) async -> Answer {
    await withCheckedContinuation { continuation in
      link.send(request) { continuation.resume(returning: $0) }
    }
  }

  @Test func `keeps its connection, and passes on what was answered as it is`() async throws {
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

  @Test func `says that nothing was sent where nobody listens`() async throws {
    let link = try #require(NodeLink())
    let server = try MicrohttpdServer(.init(port: 0)) { $1(HTTPResponse(200)) }
    let address = "http://127.0.0.1:\(server.port)"
    await server.stop(within: .zero)
    guard case .failure(.notSent) = await send(NodeRequest(.post, "/", at: address), link) else {
      Issue.record("it was sent")
      return
    }
    link.stop()
  }

  @Test(arguments: [(HTTPMethod.post, "1"), (.delete, "")])
  func `sends nothing twice where its kept connection breaks off`(
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
      Issue.record("it was not in doubt")
      return
    }
    link.stop()
    #expect(try await requests == 2)
  }

  @Test func `gives up what is not answered in time, and what is too long`() async throws {
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

/// Answers a request, reads another one on the same connection, and closes it without a word.
private final class BrokenServer: Sendable {
  let port: Int
  private let socket: Int32

  init() throws {
    socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var name = sockaddr_in()
    name.sin_family = sa_family_t(AF_INET)
    name.sin_addr = in_addr(s_addr: UInt32(0x7f00_0001).bigEndian)
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let socket = socket
    let isBound = withUnsafeMutablePointer(to: &name) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { name in
        bind(socket, name, length) == 0 && listen(socket, 8) == 0
          && getsockname(socket, name, &length) == 0
      }
    }
    guard isBound else { throw Failure("cannot listen") }
    port = Int(UInt16(bigEndian: name.sin_port))
  }

  deinit { close(socket) }

  /// How many requests came, on all connections until nothing comes for a moment.
  func answerOneAndBreakOff(_ body: String) throws -> Int {
    var count = 0
    while true {
      var event = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
      guard poll(&event, 1, count == 0 ? 10_000 : 500) > 0 else { return count }
      let connection = accept(socket, nil, nil)
      while true {
        var bytes = [UInt8](repeating: 0, count: 4_096)
        var text = ""
        while !text.hasSuffix("\r\n\r\n" + body) {
          let size = recv(connection, &bytes, bytes.count, 0)
          guard size > 0 else { break }
          text += String(decoding: bytes[..<size], as: UTF8.self)
        }
        if text.isEmpty { break }
        count += 1
        if count > 1 { break }
        let answer = Array("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n".utf8)
        _ = Glibc.send(connection, answer, answer.count, Int32(MSG_NOSIGNAL))
      }
      close(connection)
    }
  }
}
