import FusionHTTPMessages
import FusionRawHTTP
import Glibc
import Synchronization
import Testing

@testable import FusionMicrohttpdServer

extension `A server` {
  /// Streams that send at the same time have one affinity, so that one thread serves them.
  struct `with streams of one affinity` {
    /// The threads that asked streams for their first step.
    private final class Threads: Sendable {
      let all = Mutex<[pthread_t]>([])

      var handler: HTTPHandler {
        { [self] request, respond in
          let affinity = request.target.query.first.flatMap { Int($0.value) } ?? 0
          respond(HTTPResponse(200, body: .stream(Noting(affinity, in: self))))
        }
      }
    }

    private final class Noting: BodyStream {
      let affinity: Int
      private let threads: Threads
      private let hasSpoken = Atomic(false)

      init(_ affinity: Int, in threads: Threads) {
        self.affinity = affinity
        self.threads = threads
      }

      func opened(wake: @escaping @Sendable () -> Void, cut: @escaping @Sendable () -> Void) {}

      func next() -> BodyStep {
        guard !hasSpoken.exchange(true, ordering: .relaxed) else { return .idle }
        threads.all.withLock { $0.append(pthread_self()) }
        return text("hello")
      }

      func closed() {}
    }

    /// Opens a stream for each affinity, on connections spread over all threads, and returns the number of
    /// threads that serve them.
    private func threads(of affinities: [Int], in server: MicrohttpdServer, _ threads: Threads)
      throws -> Int
    {
      threads.all.withLock { $0 = [] }
      let clients = try affinities.map { affinity in
        let client = try RawClient(server.port)
        client.request("GET /?n=\(affinity)")
        _ = try client.head()
        #expect(try client.chunk() == Array("hello".utf8))
        return client
      }
      return withExtendedLifetime(clients) { Set(threads.all.withLock { $0 }).count }
    }

    @Test func `serves them on one thread, and other affinities on others`() async throws {
      let streams = Threads()
      try await serving(handler: streams.handler) { server in
        let same = try threads(of: Array(repeating: 4, count: 32), in: server, streams)
        let negative = try threads(of: Array(repeating: -5, count: 32), in: server, streams)
        let others = try threads(of: Array(0..<32), in: server, streams)
        #expect(same == 1 && negative == 1 && others == 2)
      }
    }

    @Test func `spreads connections evenly, wherever streams are`() async throws {
      let streams = Threads()
      let handler: HTTPHandler = { request, respond in
        (request.target.query.isEmpty ? echo : streams.handler)(request, respond)
      }
      try await serving(handler: handler) { server in
        let open = try (0..<64).map { _ in
          let client = try RawClient(server.port)
          client.request("GET /?n=0")
          _ = try client.head()
          return client
        }
        while server.connectionsByThread.sorted() != [0, 64] { sched_yield() }
        let clients = try (0..<32).map { _ in
          let client = try RawClient(server.port)
          client.request("GET /")
          #expect(try client.response()?.status == 200)
          return client
        }
        #expect(server.connectionsByThread.allSatisfy { $0 % 64 >= 12 })
        withExtendedLifetime((open, clients)) {}
      }
    }
  }
}
