import FoundationEssentials
import FusionHTTPMessages
import FusionSessionAPI
import FusionSessions
import UIFusionKit

/// The world of a schedule: a service that dies and restarts, its store, and its clients.
final class World: @unchecked Sendable {
  // Guard: `Scheduler.checkThread()`.
  let scheduler: Scheduler
  let store: SimulatedStore
  let plan: Plan
  let random: RandomSource
  /// The executor of clients, which outlives every process.
  let outside: SimulatedExecutor
  private(set) var service: Service?
  private var processes = 0
  private var isStopping = false
  /// Whether a process is to start once the current one has ended.
  private var isWanted = false
  private(set) var isNewDeployment = false
  var sessions: [SessionRecord] = []
  private(set) var inputRequests: [InputRequest] = []
  /// The requests by the numbers of their Inputs.
  private(set) var requests: [Int: InputRequest] = [:]
  var exchanges: [Int: Exchange] = [:]
  /// Whether clients behave at random, and faults happen.
  var isUnruly = true
  /// Whether a client requests each session while it expires.
  var isAskingForExpiring = false
  private var sent = 0
  private var numbers = 10_000
  private(set) var clockOffset = Duration.zero
  private(set) var isClockAhead = false
  private(set) lazy var judge = Judge(self)

  init(seed: UInt64, planting faults: [PlantedFault], excusing excused: Set<Rule>, isTracing: Bool)
  {
    scheduler = Scheduler(seed: seed, excusing: excused, isTracing: isTracing)
    plan = Plan(scheduler, seed: seed, planting: Set(faults))
    store = SimulatedStore(scheduler, planting: plan.planted)
    random = RandomSource(seed: seed &+ 0x5EED)
    outside = SimulatedExecutor(scheduler)
    isNewDeployment = !plan.isDeployedAnew
    store.loaded = { [unowned self] id, version in
      sessions.first { $0.id == id }?.restoredVersions.append(version)
    }
    store.expired = { [unowned self] in judge.expired($0) }
    scheduler.atRest = { [unowned self] in judge.atRest() }
  }

  /// Returns a number that no Input has had before.
  func nextNumber() -> Int {
    numbers += 1
    return numbers
  }

  /// A random courier, which may have ended.
  var anyCourier: SessionRecord? {
    let couriers = sessions.filter { $0.model == .courier }
    return couriers.isEmpty ? nil : couriers[scheduler.below(couriers.count)]
  }

  func register(_ request: InputRequest) {
    inputRequests.append(request)
    for number in request.numbers + request.workNumbers { requests[number] = request }
  }

  // MARK: Time

  /// The calendar's time.
  var wallTime: WallTime {
    WallTime(milliseconds: 1_000_000_000) + scheduler.now + clockOffset
  }

  var date: Date { Date(timeIntervalSince1970: Double(wallTime.milliseconds) / 1_000) }

  /// Sets the calendar.
  func setClock(by offset: Duration) {
    scheduler.note(9, "the calendar is set by \(offset)")
    let isForward = offset > .zero
    scheduler.coverage.add(isForward ? .clockSetForward : .clockSetBack)
    if service == nil { scheduler.coverage.add(.clockSetBetweenProcesses) }
    if isForward { isClockAhead = true }
    clockOffset += offset
    service?.clockOffsets.append(clockOffset)
  }

  /// Records that a client's request for a session was served last at `time`.
  func use(_ session: SessionRecord, in service: Service, since time: Duration) {
    if let use = session.use, use.process == service.number, use.time >= time { return }
    session.used(in: service.number, at: time)
  }

  // MARK: The process

  /// Whether a process runs and is not stopping.
  var isUp: Bool { service != nil && !isStopping }

  func start() {
    isWanted = isStopping
    guard service == nil else { return }
    if processes > 0, isUnruly, scheduler.chance(25) { recover() }
    processes += 1
    if processes > 1, isUnruly { isNewDeployment = true }
    scheduler.note(3, "process \(processes) starts")
    do {
      service = try Service(self, number: processes)
    } catch {
      scheduler.fail(.answered, "the process cannot start: \(error)")
    }
  }

  func kill() {
    guard let service else { return }
    scheduler.note(4, "the process dies")
    self.service = nil
    isStopping = false
    service.kill()
    if isWanted { start() }
  }

  /// Ends the process in order; the next one cannot start before that.
  func stop() {
    guard let service, !isStopping else { return }
    scheduler.note(5, "the process is told to end")
    isStopping = true
    service.stop { [self] in
      scheduler.note(5, "the process ends")
      self.service = nil
      isStopping = false
      if store.faults.isHarmless { judge.stopped(service) }
      if isWanted { start() }
    }
  }

  // MARK: Asking

  /// Sends a request; returns nil if no process listens.
  func ask(
    _ method: HTTPMethod,
    _ path: String,
    _ body: String? = nil,
    headers: HTTPHeaders = [:],
    condition: Int? = nil,
    for purpose: Exchange.Purpose,
    _ done: @escaping (HTTPResponse?, Exchange.Verdict) -> Void
  ) -> Exchange? {
    guard let service, !service.isRefusing, let target = RequestTarget(path) else { return nil }
    var headers = headers
    if body != nil { headers.append("Content-Type", "application/json") }
    if let condition { headers.append("If-Match", "\"\(condition)\"") }
    sent += 1
    if isStopping, case .submit = purpose { scheduler.coverage.add(.inputWhileStopping) }
    let exchange = Exchange(sent, purpose, condition: condition, self, service, done)
    exchanges[sent] = exchange
    scheduler.note(
      1,
      "#\(sent) → \(method.rawValue) \(path) \(body ?? "") "
        + headers.fields.filter { $0.name != "Content-Type" }.map { "\($0.name): \($0.value)" }
        .joined(separator: "; ")
    )
    // A generated id would differ between runs of a seed.
    headers.append(RequestID.header, "\(requests)")
    let request = HTTPRequest(method, target, headers: headers, body: Array((body ?? "").utf8))
    service.api.handle(request, exchange)
    return exchange
  }

  /// Sends a request, and waits for its answer up to the timeout.
  func answer(
    _ method: HTTPMethod,
    _ path: String,
    _ body: String? = nil,
    headers: HTTPHeaders = [:],
    condition: Int? = nil,
    for purpose: Exchange.Purpose,
    timeout: Duration = .seconds(100)
  ) async -> (response: HTTPResponse?, verdict: Exchange.Verdict) {
    await withUnsafeContinuation { continuation in
      var timer: Int?
      let exchange = ask(
        method,
        path,
        body,
        headers: headers,
        condition: condition,
        for: purpose
      ) { [scheduler] in
        if let timer { scheduler.stop(timer) }
        continuation.resume(returning: ($0, $1))
      }
      guard let exchange else { return continuation.resume(returning: (nil, .refused)) }
      if !exchange.isAnswered {
        timer = scheduler.after(timeout) { exchange.giveUp() }
      }
    }
  }

  /// Waits for a random time, up to a limit.
  func pause(upTo limit: Duration) async {
    await withUnsafeContinuation { continuation in
      scheduler.after(scheduler.duration(upTo: limit)) { continuation.resume() }
    }
  }
}
