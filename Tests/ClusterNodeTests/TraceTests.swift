import FusionCluster
import FusionHTTPMessages
import FusionSessionAPI
import FusionSessions
import FusionStoreDoubles
import Synchronization
import Testing
import UIFusionTesting

struct `The trace of a session of another node` {
  private let clock = TestClock()
  private let memory: SharedMemory

  init() {
    let clock = clock
    memory = SharedMemory { clock.now }
  }

  private func pair() async -> (owner: NodeInProcess, asked: NodeInProcess) {
    (await NodeInProcess("owner", memory, clock), await NodeInProcess("asked", memory, clock))
  }

  private func open(_ exchange: Exchange, cut: @escaping @Sendable () -> Void = {}) throws
    -> any BodyStream
  {
    #expect(exchange.status == 200)
    let stream = try unwrap(exchange.stream)
    stream.opened(wake: {}, cut: cut)
    return stream
  }

  /// Asks a node for the trace; the owner confirms that it has the session.
  private func follow(
    _ path: String,
    at asked: NodeInProcess,
    _ headers: HTTPHeaders = [:],
    cut: @escaping @Sendable () -> Void = {}
  ) async throws -> any BodyStream {
    let exchange = try await asked.send(.get, path + "/trace", headers)
    let question = try unwrap(asked.others.asked.last)
    #expect(question.request.method == .head && exchange.status == nil)
    question.answer(.success(HTTPResponse(200)))
    return try open(exchange, cut: cut)
  }

  /// Returns the text that can be sent now, with `<end>` at the stream's end.
  private func read(_ stream: any BodyStream) -> String {
    var text = ""
    while true {
      switch stream.next() {
      case .chunk(let chunk): text += String(decoding: chunk.content, as: UTF8.self)
      case .idle: return text
      case .finished, .failed: return text + "<end>"
      }
    }
  }

  @Test func `is passed on unchanged`() async throws {
    let (owner, asked) = await pair()
    let path = try await owner.create()
    let headers: HTTPHeaders = ["Last-Event-ID": "x-7", "Accept": "application/x-ndjson"]
    let stream = try await follow(path, at: asked, headers)
    let feed = try unwrap(asked.others.feeds.first)
    #expect(feed.request.headers["Last-Event-ID"] == "x-7")
    let there = try open(
      try await owner.send(.get, path + "/trace", feed.request.headers, fromNode: true)
    )
    await clock.idle()
    let opening = read(there)
    #expect(opening.contains(#""isAwake":true"#), "\(opening)")
    feed.send(opening)
    #expect(read(stream) == opening)
    _ = try await owner.send(.post, path + "/inputs", [:], #"{"add":3}"#)
    let next = read(there)
    #expect(next.contains(#""input":{"add":3}"#), "\(next)")
    feed.send(String(next.prefix(10)))
    feed.send(String(next.dropFirst(10)))
    #expect(read(stream) == next)
    #expect(asked.api.openStreams == 1 && asked.host.directory.awake == 0)
    feed.take(.end)
    #expect(read(stream) == "<end>")
    stream.closed()
    there.closed()
    #expect(asked.api.openStreams == 0)
  }

  @Test func `is closed when its client leaves or is too slow`() async throws {
    let (owner, asked) = await pair()
    let path = try await owner.create()
    let first = try await follow(path, at: asked)
    first.closed()
    #expect(try unwrap(asked.others.feeds.first).isCancelled)
    let cuts = Mutex(0)
    let slow = try await follow(path, at: asked) { cuts.withLock { $0 += 1 } }
    let feed = try unwrap(asked.others.feeds.last)
    // An event may be large.
    let event = String(repeating: "x", count: 1_000_000)
    feed.send(event)
    #expect(read(slow) == event && cuts.withLock(\.self) == 0)
    for _ in 0..<5 { feed.send(event) }
    #expect(cuts.withLock(\.self) == 1)
    #expect(read(slow) == "<end>")
    slow.closed()
    #expect(feed.isCancelled)
  }

  @Test func `tells its client to retry later if the owner cannot send it now`() async throws {
    let (owner, asked) = await pair()
    let exchange = try await asked.send(.get, owner.create() + "/trace")
    try unwrap(asked.others.asked.last).answer(.failure(.notOwner))
    let stream = try open(exchange)
    try unwrap(asked.others.feeds.first).take(.end)
    #expect(read(stream) == "retry: 5000\n\n<end>")
    stream.closed()
  }

  @Test(arguments: [404, 410]) func `is refused as by the owner`(status: Int) async throws {
    let (owner, asked) = await pair()
    let exchange = try await asked.send(.get, owner.create() + "/trace")
    try unwrap(asked.others.asked.last).answer(.success(HTTPResponse(status)))
    #expect(exchange.status == status && asked.others.feeds.isEmpty)
    #expect(asked.api.openStreams == 0)
  }

  @Test func `is not forwarded twice`() async throws {
    let (owner, asked) = await pair()
    let path = try await owner.create()
    #expect(try await asked.send(.get, path + "/trace", fromNode: true).status == 421)
    #expect(asked.others.feeds.isEmpty)
  }

  @Test(arguments: [true, false])
  func `ends, so that its client asks again, once another node wakes or ends the session`(
    isWoken: Bool
  )
    async throws
  {
    let (owner, asked) = await pair()
    let path = try await owner.create()
    let id = try unwrap(SessionID(String(path.dropFirst("/sessions/".count))))
    memory.free(id)
    let stream = try open(try await asked.send(.get, path + "/trace"))
    #expect(asked.others.feeds.isEmpty)
    #expect(read(stream).contains(#""isAwake":false"#))
    func beat() { for _ in 0...SessionAPI.ticksPerHeartbeat + 1 { asked.api.tick() } }
    beat()
    #expect(read(stream) == ":\n")
    memory.give(id, to: owner.host.ownership.node?.number)
    if !isWoken { #expect(try await owner.send(.delete, path).status == 204) }
    beat()
    #expect(read(stream).hasSuffix("<end>"))
    stream.closed()
  }
}
