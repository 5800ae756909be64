import HTTPMessages
import SessionAPI
import Sessions
import UIFusionKit

/// All that a schedule consists of: a service that dies and comes back, its store, its clients.
final class World: @unchecked Sendable {
  // Guard: `Scheduler.checkThread()`.
  let scheduler: Scheduler
  let store: SimulatedStore
  let plan: Plan
  let random: RandomSource
  /// Where clients run: they survive any process.
  let outside: SimulatedExecutor
  private(set) var service: Service?
  private var isStopping = false
  /// Whether a process is to start once the one before it has ended.
  private var isWanted = false
  var sessions: [SessionRecord] = []
  var orders: [Order] = []
  var exchanges: [Int: Exchange] = [:]
  /// Whether clients still do as they like.
  var isUnruly = true
  private var requests = 0
  private var numbers = 10_000
  private(set) lazy var judge = Judge(self)

  init(seed: UInt64, planting faults: [PlantedFault], isTracing: Bool) {
    scheduler = Scheduler(seed: seed, isTracing: isTracing)
    plan = Plan(scheduler, planting: Set(faults))
    store = SimulatedStore(scheduler, planting: plan.planted)
    random = RandomSource(seed: seed &+ 0x5EED)
    outside = SimulatedExecutor(scheduler)
    scheduler.atRest = { [unowned self] in judge.atRest() }
  }

  /// A number that no Input had before.
  func nextNumber() -> Int {
    numbers += 1
    return numbers
  }

  // MARK: The process

  func start() {
    isWanted = isStopping
    guard service == nil, !isStopping else { return }
    scheduler.note(3, "the process starts")
    do {
      service = try Service(self)
    } catch {
      scheduler.fail("the process cannot start: \(error)")
    }
  }

  func kill() {
    guard let service else { return }
    scheduler.note(4, "the process dies")
    self.service = nil
    service.kill()
  }

  /// Ends it in order; the next one cannot start before.
  func stop() {
    guard let service else { return }
    scheduler.note(5, "the process is told to end")
    self.service = nil
    isStopping = true
    service.stop { [self] in
      scheduler.note(5, "the process ends")
      isStopping = false
      if isWanted { start() }
    }
  }

  // MARK: Asking

  /// Sends a request; false where nobody listens.
  func ask(
    _ method: HTTPMethod,
    _ path: String,
    _ body: String? = nil,
    headers: HTTPHeaders = [:],
    for purpose: Exchange.Purpose,
    _ done: @escaping (HTTPResponse?, Exchange.Verdict) -> Void
  ) -> Exchange? {
    guard let service, let target = RequestTarget(path) else { return nil }
    var headers = headers
    if body != nil { headers.append("Content-Type", "application/json") }
    requests += 1
    let exchange = Exchange(requests, purpose, self, service, done)
    exchanges[requests] = exchange
    scheduler.note(
      1,
      "#\(requests) → \(method.rawValue) \(path) \(body ?? "") "
        + headers.fields.filter { $0.name != "Content-Type" }.map { "\($0.name): \($0.value)" }
        .joined(separator: "; ")
    )
    let request = HTTPRequest(method, target, headers: headers, body: Array((body ?? "").utf8))
    service.api.handle(request) { exchange.answer($0) }
    return exchange
  }

  /// Sends a request and waits, for as long as its sender likes.
  func answer(
    _ method: HTTPMethod,
    _ path: String,
    _ body: String? = nil,
    headers: HTTPHeaders = [:],
    for purpose: Exchange.Purpose,
    patience: Duration = .seconds(100)
  ) async -> (response: HTTPResponse?, verdict: Exchange.Verdict) {
    await withUnsafeContinuation { continuation in
      var timer: Int?
      let exchange = ask(method, path, body, headers: headers, for: purpose) { [scheduler] in
        if let timer { scheduler.stop(timer) }
        continuation.resume(returning: ($0, $1))
      }
      guard let exchange else { return continuation.resume(returning: (nil, .refused)) }
      if !exchange.isAnswered {
        timer = scheduler.after(patience) { exchange.giveUp() }
      }
    }
  }

  /// Waits for some time, up to a limit.
  func pause(upTo limit: Duration) async {
    await withUnsafeContinuation { continuation in
      scheduler.after(scheduler.duration(upTo: limit)) { continuation.resume() }
    }
  }
}
