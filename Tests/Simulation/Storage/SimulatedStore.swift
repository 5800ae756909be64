import FusionSessions
import FusionStoreDoubles
import Synchronization

/// A `MemorySessionStore` behind a slow and lossy connection.
///
/// Fulfils the contract of ``SessionStore`` despite its faults, unless a fault is planted that breaks it.
final class SimulatedStore: @unchecked Sendable {
  // Guard: `Scheduler.checkThread()`.
  let history: StoreHistory
  /// The patches of stored States, which are the same for all view models.
  let patches: HostedViewModel.Patches
  var faults = StoreFaults.none
  let memory = MemorySessionStore()
  /// Reports a session that is read, and its version.
  var loaded: (SessionID, Int) -> Void = { _, _ in }
  /// Reports expired sessions.
  var expired: ([SessionID]) -> Void = { _ in }
  /// The sessions with their history, for tools and the inspector.
  let archive: MemorySessionArchive
  private let scheduler: Scheduler
  private let planted: Set<PlantedFault>
  /// The arrival time of the newest request; requests arrive in order.
  private var arrival = Duration.zero
  /// The time of the newest answer to each session; answers arrive in order, too.
  private var answers: [SessionID: Duration] = [:]
  private var waiting = 0
  /// The forks that were read.
  private var readForks: Set<SessionID> = []

  init(_ scheduler: Scheduler, planting faults: Set<PlantedFault>) {
    self.scheduler = scheduler
    planted = faults
    let isMisread = faults.contains(.misreadPast)
    archive = MemorySessionArchive(memory) { isMisread ? $0.misread : $0 }
    let probes = Probes(scheduler, planting: []) { _, _ in }
    patches = hostedViewModels(probes, isNewDeployment: true)[0].patches
    history = StoreHistory(
      patches,
      fail: { rule, text in scheduler.fail(rule, text) },
      reached: { scheduler.coverage.add($0) }
    )
  }

  enum Request {
    case load(SessionID, StoreAnswer<StoredSession?>)
    case find(SessionName, StoreAnswer<SessionID?>)
    case interrupted(StoreAnswer<InterruptedSessions>)
    case alarms(WallTime, after: DueAlarms.Item?, StoreAnswer<DueAlarms>)
    case commit(StoreChange, StoreCompletion)
  }

  func take(_ request: Request, from connection: StoreConnection) {
    scheduler.checkThread()
    let request = planted.contains(.earlyAcknowledgement) ? acknowledged(request) : request
    if faults.delay == .zero, waiting == 0 {
      return run(request, from: connection, isLate: false)
    }
    waiting += 1
    arrival = max(arrival + .microseconds(1), scheduler.now + pause)
    let number = connection.begin(request)
    scheduler.at(arrival) { [self] in
      waiting -= 1
      guard let fate = connection.arrive(number) else { return }
      run(fate.request, from: connection, isLate: fate.isLate)
    }
  }

  /// A delay that is never zero, since simultaneous events would have no order.
  private var pause: Duration { scheduler.duration(upTo: faults.delay) + .microseconds(1) }

  /// Performs a request, or loses it; `isLate` if its process has died meanwhile.
  func run(_ request: Request, from connection: StoreConnection, isLate: Bool) {
    let isLost = scheduler.chance(faults.lostRequests)
    let isAnswerLost = !isLost && scheduler.chance(faults.lostAnswers)
    switch request {
    case .load(let id, let done):
      let isFailing = isLost || isAnswerLost || faults.mode == .dead
      if !isFailing, let record = history.sessions[id] { loaded(id, record.version) }
      let result: Result<StoredSession?, StoreError> =
        isFailing ? .failure(.unreachable("lost")) : .success(read(id))
      scheduler.note(10, "store: load \(id.redacted) \(isFailing ? "fails" : "")")
      answer([id]) {
        connection.answer {
          done(result)
        } closed: {
          done(.failure(.closed))
        }
      }
    case .find(let name, let done):
      let isFailing = isLost || isAnswerLost || faults.mode == .dead
      scheduler.note(10, "store: find \(name.text) \(isFailing ? "fails" : "")")
      let result: Result<SessionID?, StoreError> =
        isFailing ? .failure(.unreachable("lost")) : memory.found(name)
      answer([]) {
        connection.answer {
          done(result)
        } closed: {
          done(.failure(.closed))
        }
      }
    case .interrupted(let done):
      let isFailing = isLost || isAnswerLost || faults.mode == .dead
      scheduler.note(10, "store: interrupted \(isFailing ? "fails" : "")")
      let result: Result<InterruptedSessions, StoreError> =
        isFailing ? .failure(.unreachable("lost")) : memory.interrupted
      answer([]) {
        connection.answer {
          done(result)
        } closed: {
          done(.failure(.closed))
        }
      }
    case .alarms(let time, let last, let done):
      let isFailing = isLost || isAnswerLost || faults.mode == .dead
      scheduler.note(10, "store: alarms \(isFailing ? "fails" : "")")
      let result: Result<DueAlarms, StoreError> =
        isFailing ? .failure(.unreachable("lost")) : memory.alarms(dueBy: time, after: last)
      answer([]) {
        connection.answer {
          done(result)
        } closed: {
          done(.failure(.closed))
        }
      }
    case .commit(let change, let done):
      var error: StoreError?
      if isLost || faults.mode == .dead {
        error = .unreachable("lost")
      } else if faults.mode == .full {
        error = .full
      } else if isAnswerLost, scheduler.chance(50) {
        error = .inDoubt
      } else {
        error = apply(isLate ? torn(change) : change)
        if error == nil, isAnswerLost { error = .inDoubt }
      }
      if error == .inDoubt, planted.contains(.deniedDoubt) { error = .unreachable("lost") }
      if case .append = change, let error {
        scheduler.coverage.add(error == .inDoubt ? .outcomeInDoubt : .storeRefused)
      }
      scheduler.note(11, "store: \(change.text) \(error.map { "\($0)" } ?? "committed")")
      answer(change.sessions) {
        connection.answer {
          done(error)
        } closed: {
          done(.closed)
        }
      }
    }
  }

  private func answer(_ sessions: [SessionID], _ body: @escaping () -> Void) {
    guard faults.delay > .zero || sessions.contains(where: isAnswering) else { return body() }
    let earlier = sessions.compactMap { answers[$0] }.max() ?? .zero
    let time = max(earlier + .microseconds(1), scheduler.now + pause)
    for session in sessions { answers[session] = time }
    scheduler.at(time, body)
  }

  private func isAnswering(_ id: SessionID) -> Bool {
    answers[id].map { $0 >= scheduler.now } ?? false
  }

  private func apply(_ change: StoreChange) -> StoreError? {
    var change = change
    if case .append(var append) = change {
      if planted.contains(.misnumberedHeads) { append.head?.version -= 1 }
      if planted.contains(.lastingAlarms) {
        append.alarms = append.alarms.filter { $0.value != nil }
      }
      if planted.contains(.tornBatches), append.entries.count > 1 {
        append.entries.removeLast(append.entries.count - 1)
      }
      change = .append(append)
    }
    if planted.contains(.undroppedWork), case .create(var session) = change,
      session.head.version > 1
    {
      session.head.running = ["tick"]
      change = .create(session)
    }
    let error = memory.result(of: change)
    if error == nil {
      history.add(change)
      if case .end(let ids, .expired, _) = change { expired(ids) }
    }
    return error
  }

  /// Appends to a session while no process runs, as a tool does.
  func append(_ append: StoreChange.Append) -> StoreError? { apply(.append(append)) }

  private func torn(_ change: StoreChange) -> StoreChange {
    guard planted.contains(.tornKeys), case .append(var append) = change else { return change }
    for index in append.entries.indices { append.entries[index].key = nil }
    return .append(append)
  }

  private func acknowledged(_ request: Request) -> Request {
    guard case .commit(let change, let done) = request, case .append = change else {
      return request
    }
    done(nil)
    return .commit(change) { _ in }
  }

  /// Returns a session as a process reads it.
  private func read(_ id: SessionID) -> StoredSession? {
    let isFork = history.sessions[id]?.first.map { $0.head.version > 1 } == true
    let isForgotten = isFork && !readForks.insert(id).inserted
    return isForgotten && planted.contains(.forgottenForks) ? nil : stored(id)
  }

  /// Returns a session as reading returns it.
  func stored(_ id: SessionID) -> StoredSession? {
    var session = memory.session(id)
    if planted.contains(.forgottenKeys) { session?.keys = [] }
    if planted.contains(.forgottenAlarms) { session?.alarms = [] }
    if planted.contains(.forgottenMessages) { session?.loseMessages() }
    if planted.contains(.forgottenReplies) { session?.loseReplies() }
    if planted.contains(.forgottenSenders) { session?.forgetSenders() }
    if planted.contains(.reversedMessages) { session?.reverseMessages() }
    if planted.contains(.forgottenRunning), session != nil {
      session?.head.running = []
      for index in session?.entries.indices ?? 0..<0 { session?.entries[index].running = [] }
    }
    return session
  }
}

extension MemorySessionStore {
  fileprivate func result(of change: StoreChange) -> StoreError? {
    let result = Mutex<StoreError?>(nil)
    commit(change) { error in result.withLock { $0 = error } }
    return result.withLock { $0 }
  }

  fileprivate func session(_ id: SessionID) -> StoredSession? {
    let session = Mutex<StoredSession?>(nil)
    load(id) { result in session.withLock { $0 = try? result.get() } }
    return session.withLock { $0 }
  }

  fileprivate func found(_ name: SessionName) -> Result<SessionID?, StoreError> {
    let found = Mutex<Result<SessionID?, StoreError>>(.failure(.closed))
    find(name) { result in found.withLock { $0 = result } }
    return found.withLock { $0 }
  }

  fileprivate func alarms(
    dueBy time: WallTime,
    after last: DueAlarms.Item?
  ) -> Result<DueAlarms, StoreError> {
    let found = Mutex<Result<DueAlarms, StoreError>>(.failure(.closed))
    alarms(dueBy: time, after: last) { result in found.withLock { $0 = result } }
    return found.withLock { $0 }
  }

  fileprivate var interrupted: Result<InterruptedSessions, StoreError> {
    let found = Mutex<Result<InterruptedSessions, StoreError>>(.failure(.closed))
    interrupted(after: 0) { result in found.withLock { $0 = result } }
    return found.withLock { $0 }
  }
}

extension StoreChange {
  var text: String {
    switch self {
    case .create(let session): "create \(session.id.redacted)"
    case .append(let append):
      "append \(append.session.redacted) after \(append.after): "
        + append.entries.map { "v\($0.version)\($0.key.map { " key \($0.key)" } ?? "")" }
        .joined(separator: ", ") + (append.head == nil ? "" : " head")
    case .use: "use"
    case .end(let ids, let end, _): "\(end) \(ids.map(\.redacted).joined(separator: " "))"
    case .share(let share): "share \(share.session.redacted)"
    case .revoke(let id, _): "revoke \(id.redacted)"
    case .crash(let crash): "crash at the work of \(crash.session.redacted)"
    case .forget: "forget"
    case .probe: "probe"
    }
  }
}
