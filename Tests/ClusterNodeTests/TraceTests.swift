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

  /// All that can be sent now; ends with `<end>` where the stream does.
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

  @Test func `comes from there, word for word`() async throws {
    let (owner, asked) = await pair()
    let path = try await owner.create()
    let headers: HTTPHeaders = ["Last-Event-ID": "x-7", "Accept": "application/x-ndjson"]
    let stream = try open(try await asked.send(.get, path + "/trace", headers))
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
    #expect(asked.api.openStreams == 1 && asked.host.awake == 0)
    feed.take(.end)
    #expect(read(stream) == "<end>")
    stream.closed()
    there.closed()
    #expect(asked.api.openStreams == 0)
  }

  @Test func `is let go of with its client, and where that is too slow`() async throws {
    let (owner, asked) = await pair()
    let path = try await owner.create()
    let first = try open(try await asked.send(.get, path + "/trace"))
    first.closed()
    #expect(try unwrap(asked.others.feeds.first).isCancelled)
    let cuts = Mutex(0)
    let slow = try open(try await asked.send(.get, path + "/trace")) {
      cuts.withLock { $0 += 1 }
    }
    let feed = try unwrap(asked.others.feeds.last)
    for _ in 0..<3 { feed.send(String(repeating: "x", count: 100_000)) }
    #expect(cuts.withLock(\.self) == 1)
    #expect(read(slow) == "<end>")
    slow.closed()
    #expect(feed.isCancelled)
  }

  @Test func `is asked for later where it is refused`() async throws {
    let (owner, asked) = await pair()
    let stream = try open(try await asked.send(.get, owner.create() + "/trace"))
    try unwrap(asked.others.feeds.first).take(.end)
    #expect(read(stream) == "retry: 5000\n\n<end>")
    stream.closed()
  }

  @Test func `is not passed on twice`() async throws {
    let (owner, asked) = await pair()
    let path = try await owner.create()
    #expect(try await asked.send(.get, path + "/trace", fromNode: true).status == 421)
    #expect(asked.others.feeds.isEmpty)
  }

  @Test func `is looked for anew while the session sleeps, which another node may wake`()
    async throws
  {
    let (owner, asked) = await pair()
    let path = try await owner.create()
    let id = try unwrap(SessionID(String(path.dropFirst("/sessions/".count))))
    memory.free(id)
    let stream = try open(try await asked.send(.get, path + "/trace"))
    #expect(asked.others.feeds.isEmpty)
    #expect(read(stream).contains(#""isAwake":false"#))
    for _ in 0...SessionAPI.ticksPerHeartbeat + 1 { asked.api.tick() }
    #expect(read(stream).hasSuffix("<end>"))
    stream.closed()
  }
}
