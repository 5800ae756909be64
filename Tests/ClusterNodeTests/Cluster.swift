import Dispatch
import FusionExampleViewModels
import FusionRawHTTP
import FusionSessions
import FusionStoreDoubles
import Synchronization
import UIFusionKit
import UIFusionServer
import UIFusionTesting

/// Several complete services in one process, each with its own port, that share one store.
///
/// Leases follow a clock that the test advances; sockets work in real time.
final class Cluster: Sendable {
  let clock = TestClock()
  private let memory: SharedMemory
  private let running = Mutex<[Service]>([])

  init() {
    let clock = clock
    memory = SharedMemory { clock.now }
  }

  struct Member: Sendable {
    let service: Service
    let store: SeverableStore
    let cluster: Cluster

    var port: Int { service.port }

    /// Stops the node, which is not asked from then on: its port may be another test's.
    func stop() async {
      cluster.running.withLock { $0.removeAll { $0 === service } }
      await service.stop()
    }
  }

  /// Starts a node; returns when it is ready.
  func start(
    _ name: String,
    _ configure: (inout Configuration) -> Void = { _ in }
  ) async throws -> Member {
    let opened = Mutex<SeverableStore?>(nil)
    let memory = memory
    var configuration = Configuration()
    configuration.port = 0
    configuration.data = .memory
    configuration.logLevel = .error
    configuration.nodeAddress = "127.0.0.1:0"
    configuration.drain = .seconds(1)
    configuration.publicFolder = Self.pages
    configuration.makeSharedStore = { address in
      let store = SeverableStore(memory, name: name, address: address)
      opened.withLock { $0 = store }
      return store
    }
    configure(&configuration)
    var catalog = ViewModelCatalog()
    catalog.host("tally", summary: "Adds up") { _ in Tally() }
    catalog.host("shadow", summary: "Follows a tally") { _ in Shadow() }
    catalog.host("questioner", summary: "Asks") { _ in Questioner() }
    catalog.host("expert", summary: "Answers") { _ in Expert() }
    catalog.host("guests", summary: "Sees who comes") { _ in Guests() }
    catalog.host("board", summary: "Has cards") { _ in BoardViewModel() }
    catalog.host("board-seat", summary: "Follows a board") { _ in BoardSeatViewModel() }
    catalog.host("house", summary: "Has a rule") { _ in House() }
    catalog.host("caller", summary: "Calls a house") { _ in Caller() }
    catalog.host("chat", summary: "Talks") { ChatViewModel(topics: $0.topics) }
    var dependencies = Dependencies(time: clock)
    dependencies.executor = QueueExecutor()
    let service = try Service(catalog, configuration, dependencies: dependencies)
    running.withLock { $0.append(service) }
    let store = opened.withLock(\.self)
    let member = Member(service: service, store: try unwrap(store), cluster: self)
    try await until { try await Client(member.port).get("/readyz").status == 200 }
    return member
  }

  /// Advances time until a condition holds, by one step at least each time that it is asked.
  func until(_ isSo: @escaping @Sendable () async throws -> Bool) async throws {
    for _ in 0..<10_000 where try await whileTimePasses(isSo) { return }
    throw Failure("the condition did not come true")
  }

  /// Advances time while work runs, by one step at least.
  func whileTimePasses<Value: Sendable>(
    _ work: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    let ticking = Task { repeat { await step() } while !Task.isCancelled }
    do {
      let value = try await work()
      ticking.cancel()
      await ticking.value
      return value
    } catch {
      ticking.cancel()
      await ticking.value
      throw error
    }
  }

  /// Advances time by 20 milliseconds once each service has answered a request, so that the services keep up.
  private func step() async {
    for port in running.withLock({ $0.map(\.port) }) {
      _ = try? await Client(port).get("/healthz")
    }
    await clock.advance(by: .milliseconds(20))
  }

  func stop() async {
    for service in running.withLock({ $0 }) { await service.stop() }
  }

  /// A folder with one page.
  private static let pages: String = {
    let file = #filePath.split(separator: "/").dropLast(2).joined(separator: "/")
    return "/" + file + "/SmallPages"
  }()
}

struct Failure: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) {
    self.description = description
  }
}

func unwrap<Value>(_ value: Value?) throws -> Value {
  guard let value else { throw Failure("unexpected nil") }
  return value
}

/// A view model that sums up numbers and keeps a text.
struct Tally: ViewModelProtocol {
  enum Input: Codable, Sendable { case add(Int), write(String), ring }
  typealias Action = Input
  struct State: Codable, Equatable, Sendable {
    var sum = 0
    var text = ""
    @Pulse var bell = 0
  }

  var state = State()

  func transform(_ input: Input) -> [Action] { [input] }

  mutating func perform(_ action: Action) {
    switch action {
    case .add(let number): state.sum += number
    case .write(let text): state.text = text
    case .ring: state.bell = 1
    }
  }
}
