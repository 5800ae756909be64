import FusionHTTPMessages
import FusionHTTPToolkit
import FusionSessionAPI
import FusionSessions
import FusionStoreDoubles
import Synchronization
import UIFusionKit
import UIFusionServer
import UIFusionTesting

/// A node without sockets, on a clock that all share: what it asks of other nodes, the test answers.
final class NodeInProcess: Sendable {
  let host: SessionHost
  let api: SessionAPI
  let others = OtherNodes()
  private let clock: TestClock
  private let upkeep: Task<Void, Never>

  init(
    _ name: String,
    _ memory: SharedMemory,
    _ clock: TestClock,
    hosting host: (inout ViewModelCatalog) -> Void = {
      $0.host("tally", summary: "Adds up") { _ in Tally() }
    },
    _ configure: (inout SessionAPI.Options) -> Void = { _ in }
  ) async {
    self.clock = clock
    var catalog = ViewModelCatalog()
    host(&catalog)
    let store = SharedMemoryStore(memory, name: name, address: "http://\(name)")
    let host = SessionHost(
      catalog.viewModels,
      dependencies: clock.dependencies,
      store: store,
      ownership: Lease(store, clock.dependencies)
    )
    self.host = host
    var options = SessionAPI.Options()
    options.forwarding = others
    configure(&options)
    api = SessionAPI(host, files: .empty, options: options)
    api.readiness.phase = .ready
    upkeep = Task(executorPreference: clock.executor) { try? await host.keepLease() }
    await clock.idle()
  }

  deinit { upkeep.cancel() }

  /// Lets the lease run out.
  func stopRenewing() { upkeep.cancel() }

  /// A new session's path.
  func create() async throws -> String {
    try unwrap(try await send(.post, "/sessions", [:], #"{"viewModel":"tally"}"#).location)
  }

  /// Answers as far as it can without the others.
  func send(
    _ method: HTTPMethod,
    _ target: String,
    _ headers: HTTPHeaders = [:],
    _ body: String = "",
    fromNode isFromNode: Bool = false
  ) async throws -> Exchange {
    var headers = headers
    if !body.isEmpty { headers["Content-Type"] = "application/json" }
    var request = HTTPRequest(
      method,
      try unwrap(RequestTarget(target)),
      headers: headers,
      body: Array(body.utf8)
    )
    request.connection.client = IPAddress("192.0.2.7")
    request.isFromNode = isFromNode
    let exchange = Exchange()
    (isFromNode ? api.forNodes() : api).handle(request, exchange)
    await clock.idle()
    return exchange
  }
}

/// A request's answer, once there is one.
final class Exchange: HTTPResponder {
  private let answers = Mutex<[HTTPResponse]>([])

  var status: Int? { answers.withLock { $0.first?.status } }
  var location: String? { answers.withLock { $0.first?.headers["Location"] } }
  var text: String {
    answers.withLock {
      if case .bytes(let bytes)? = $0.first?.body {
        String(decoding: bytes, as: UTF8.self)
      } else {
        ""
      }
    }
  }
  var retryAfter: String? { answers.withLock { $0.first?.headers["Retry-After"] } }
  var stream: (any BodyStream)? {
    answers.withLock { if case .stream(let stream)? = $0.first?.body { stream } else { nil } }
  }
  var count: Int { answers.withLock { $0.count } }

  func callAsFunction(_ response: consuming HTTPResponse) {
    let response = response
    answers.withLock { $0.append(response) }
  }
}

/// Keeps what a node asks of others.
final class OtherNodes: RequestForwarding {
  struct Asked: Sendable {
    let request: HTTPRequest
    let answer: @Sendable (Result<HTTPResponse, ForwardingError>) -> Void
  }

  final class Followed: Upstream {
    let take: @Sendable (UpstreamEvent) -> Void
    private let cancelled = Mutex(false)

    var isCancelled: Bool { cancelled.withLock(\.self) }

    init(_ take: @escaping @Sendable (UpstreamEvent) -> Void) { self.take = take }

    func cancel() { cancelled.withLock { $0 = true } }

    func show(version: Int) {
      take(.open)
      take(.bytes(Array("state \(version) 0 2\n{}\n".utf8)))
    }
  }

  private let log = Mutex<(asked: [Asked], followed: [Followed])>(([], []))

  var asked: [Asked] { log.withLock { $0.asked } }
  var followed: [Followed] { log.withLock { $0.followed } }

  func forward(
    _ request: HTTPRequest,
    to node: Node,
    within deadline: Duration,
    isHeld: Bool,
    _ done: @escaping @Sendable (Result<HTTPResponse, ForwardingError>) -> Void
  ) {
    log.withLock { $0.asked.append(Asked(request: request, answer: done)) }
  }

  func follow(
    _ id: SessionID,
    on node: Node,
    _ take: @escaping @Sendable (UpstreamEvent) -> Void
  ) -> any Upstream {
    let upstream = Followed(take)
    log.withLock { $0.followed.append(upstream) }
    return upstream
  }
}
