import FusionCluster
import FusionHTTPMessages
import FusionHTTPToolkit
import FusionMetrics
import FusionSessionAPI
import FusionSessions
import FusionStoreDoubles
import Synchronization
import UIFusionKit
import UIFusionServer
import UIFusionTesting

/// A node without sockets, on a shared clock; the test answers its requests to other nodes.
final class NodeInProcess: Sendable {
  let host: SessionHost
  let api: SessionAPI
  let cluster: ClusterNode
  let others: OtherNodes
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
    others = OtherNodes(clock)
    var catalog = ViewModelCatalog()
    host(&catalog)
    let store = SharedMemoryStore(memory, name: name, address: "http://\(name)")
    let host = SessionHost(
      catalog.viewModels,
      dependencies: clock.dependencies,
      store: store,
      ownership: Lease(store, clock.dependencies),
      isWatchable: true
    )
    self.host = host
    var options = SessionAPI.Options()
    options.inspector = SessionInspector(on: { $0() }) { memory.archive }
    configure(&options)
    let readiness = Readiness()
    cluster = ClusterNode(host, others, readiness, metrics: ClusterMetrics(Metrics()))
    api = SessionAPI(
      host,
      locator: cluster.locator,
      files: .empty,
      readiness: readiness,
      options: options
    )
    api.readiness.phase = .ready
    upkeep = Task(executorPreference: clock.executor) { try? await host.recoverer.keepLease() }
    await clock.idle()
  }

  deinit { upkeep.cancel() }

  /// Lets the lease run out.
  func stopRenewing() { upkeep.cancel() }

  /// Creates a session; returns its path.
  func create() async throws -> String {
    try unwrap(try await send(.post, "/sessions", [:], #"{"viewModel":"tally"}"#).location)
  }

  /// Sends a request; the answer may wait for other nodes.
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
    if isFromNode { cluster.handler(api)(request, exchange) } else { api.handle(request, exchange) }
    await clock.idle()
    return exchange
  }
}

/// A responder that keeps a request's answer.
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

  /// Drops the answer, as a client that disconnects.
  func drop() { answers.withLock { $0 = [] } }

  func callAsFunction(_ response: consuming HTTPResponse) {
    let response = response
    answers.withLock { $0.append(response) }
  }
}
