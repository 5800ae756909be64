import FoundationEssentials
import FusionHTTPMessages
import FusionSessionAPI
import FusionSessions
import FusionStoreDoubles
import UIFusionKit

/// Several nodes on one virtual clock, with a shared store and a network that fails.
final class ClusterWorld: @unchecked Sendable {
  // Guard: `Scheduler.checkThread()`.
  let scheduler: Scheduler
  let planted: Set<ClusterFault>
  let memory: SharedMemory
  let random: RandomSource
  /// The patches of stored States, which are the same for all view models.
  let patches: HostedViewModel.Patches
  /// The executor of clients, which outlives every process.
  let outside: SimulatedExecutor
  private(set) lazy var ledger = Ledger(scheduler, memory)
  private(set) var nodes: [SimulatedNode] = []
  /// The pairs of nodes whose connection is cut.
  private var cuts: Set<[String]> = []
  /// Whether faults happen.
  var isUnruly = true
  /// The percentage of lost requests to the store, and of its lost answers.
  let lossRate: Int
  let sleepAfter: Duration
  /// Whether all sessions pass numbers on to each other.
  let isOfCouriers: Bool
  /// Whether a session observes its visitors.
  let hasGuests: Bool
  private var numbers = 10_000
  private let names: [String]

  init(
    seed: UInt64,
    planting faults: Set<ClusterFault>,
    excusing excused: Set<Rule>,
    isTracing: Bool
  ) {
    scheduler = Scheduler(seed: seed, excusing: excused, isTracing: isTracing)
    let scheduler = scheduler
    planted = faults
    memory = SharedMemory { scheduler.now }
    let probes = Probes(scheduler, planting: []) { _, _ in }
    patches = hostedViewModels(probes, isNewDeployment: true)[0].patches
    random = RandomSource(seed: seed &+ 0x5EED)
    outside = SimulatedExecutor(scheduler)
    lossRate = scheduler.chance(50) ? 0 : scheduler.below(8)
    sleepAfter = scheduler.chance(50) ? .seconds(60) : .milliseconds(800)
    isOfCouriers = scheduler.chance(25)
    hasGuests = seed % 5 == 3
    names = ["a", "b", "c"].prefix(scheduler.chance(60) ? 3 : 2).map { $0 }
  }

  var date: Date { Date(timeIntervalSince1970: 1_000_000 + scheduler.now / .seconds(1)) }

  /// Returns a number that no Input has had before.
  func nextNumber() -> Int {
    numbers += 1
    return numbers
  }

  func startAll() {
    for name in names { start(name) }
  }

  func start(_ name: String) {
    if let node = node(name) {
      // The next process starts when this one has ended.
      if node.isEnding { scheduler.after(.milliseconds(100)) { [self] in start(name) } }
      return
    }
    nodes.removeAll { $0.name == name }
    scheduler.note(34, "\(name) starts")
    nodes.append(SimulatedNode(self, name: name))
  }

  /// Returns the living process with a name.
  func node(_ name: String) -> SimulatedNode? { nodes.first { $0.name == name && !$0.isDead } }

  func anyNode() -> SimulatedNode? { node(names[scheduler.below(names.count)]) }

  func killAll() {
    for node in nodes { node.kill() }
  }

  // MARK: Faults

  func isCut(_ a: String, _ b: String) -> Bool { cuts.contains([a, b]) || cuts.contains([b, a]) }

  /// Plans one fault and its end.
  func planFault(within time: Duration) {
    let name = names[scheduler.below(names.count)]
    let other = names[scheduler.below(names.count)]
    let kind = scheduler.below(6)
    let length = Duration.milliseconds(200 + scheduler.below(8_000))
    let start = scheduler.duration(upTo: time)
    scheduler.after(start) { [self] in
      switch kind {
      case 0, 1: node(name)?.kill()
      case 2: node(name)?.stop()
      case 3: node(name)?.pause()
      case 4: node(name)?.store.isCut = true
      default: cuts.insert([name, other])
      }
    }
    scheduler.after(start + length) { [self] in
      switch kind {
      case 0, 1, 2: self.start(name)
      case 3: node(name)?.resume()
      case 4: node(name)?.store.isCut = false
      default: cuts.remove([name, other])
      }
    }
  }

  /// Ends all faults.
  func mendAll() {
    isUnruly = false
    cuts = []
    for node in nodes {
      node.resume()
      node.store.isCut = false
    }
    startAll()
  }

  func reached(_ event: SessionEvent) {
    switch event {
    case .leaseSilenced: scheduler.coverage.add(.leaseSilenced)
    case .leaseRestored: scheduler.coverage.add(.leaseRestored)
    case .leaseLost: scheduler.coverage.add(.leaseLost)
    case .fenced: scheduler.coverage.add(.sessionFenced)
    case .restored: scheduler.coverage.add(.sessionTakenOver)
    case .message(_, .delivered, _): scheduler.coverage.add(.messageAmongNodes)
    case .wokeInterrupted: scheduler.coverage.add(.interruptedTakenOver)
    default: break
    }
  }

  // MARK: Asking

  /// Sends a request to a node; `done` receives nil if no answer arrives.
  func ask(
    _ node: SimulatedNode?,
    _ method: HTTPMethod,
    _ path: String,
    _ body: String = "",
    headers: HTTPHeaders = [:],
    timeout: Duration = .seconds(20),
    _ done: @escaping (HTTPResponse?) -> Void
  ) {
    guard let node, !node.isRefusing, let target = RequestTarget(path) else { return done(nil) }
    node.open += 1
    var headers = headers
    if !body.isEmpty { headers.append("Content-Type", "application/json") }
    let exchange = ForwardedExchange(scheduler) { [scheduler] response in
      node.open -= 1
      scheduler.note(
        2,
        "\(node.name): \(method.rawValue) \(path) \(body) ← "
          + (response.map { "\($0.status) \($0.text)" } ?? "nothing")
      )
      done(response)
    }
    node.atDeath { exchange.answer(nil) }
    scheduler.after(timeout) { exchange.answer(nil) }
    let request = HTTPRequest(method, target, headers: headers, body: Array(body.utf8))
    node.deliver { node.api.handle(request, exchange) }
  }

  func answer(
    _ node: SimulatedNode?,
    _ method: HTTPMethod,
    _ path: String,
    _ body: String = "",
    headers: HTTPHeaders = [:]
  ) async -> HTTPResponse? {
    await withUnsafeContinuation { continuation in
      ask(node, method, path, body, headers: headers) { continuation.resume(returning: $0) }
    }
  }

  /// Waits for a random time, up to a limit.
  func pause(upTo limit: Duration) async {
    await withUnsafeContinuation { continuation in
      scheduler.after(scheduler.duration(upTo: limit)) { continuation.resume() }
    }
  }
}
