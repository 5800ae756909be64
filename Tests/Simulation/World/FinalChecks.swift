import FusionHTTPMessages
import FusionSessionAPI
import FusionSessions
import FusionStoreDoubles
import FusionStrictJSON

/// Checks after the faults have stopped that nothing is lost, applied twice or left over.
struct FinalChecks {
  let world: World
  private let streams: [StreamClient]

  init(_ world: World, _ streams: [StreamClient]) {
    self.world = world
    self.streams = streams
  }

  var scheduler: Scheduler { world.scheduler }
  var living: [SessionRecord] { world.sessions.filter { !$0.isOver } }

  func run() {
    let steps = [
      wakeAll, keepTicking, comeToRest, compare, count, judgeMessages, judgeFollowing, settle,
      outlive, restart,
      replay, fillKeys,
      end, leaveNothing,
    ]
    for step in steps where scheduler.violation == nil { step() }
  }

  // MARK: Asking

  /// Sends a request, and runs the simulation until it is answered.
  @discardableResult
  func ask(
    _ method: HTTPMethod,
    _ path: String,
    _ body: String? = nil,
    headers: HTTPHeaders = [:],
    for purpose: Exchange.Purpose
  ) -> HTTPResponse? {
    var answer: HTTPResponse?
    let exchange = world.ask(method, path, body, headers: headers, for: purpose) { response, _ in
      answer = response
    }
    _ = scheduler.run(atMost: .seconds(90)) { exchange?.isAnswered != false }
    if answer == nil, scheduler.violation == nil {
      scheduler.fail(
        .answered,
        "\(method.rawValue) \(path) gets no answer, though faults have stopped"
      )
    }
    return answer
  }

  /// Sends Inputs, and runs the simulation until they are answered.
  @discardableResult
  func send(_ request: InputRequest) -> HTTPResponse? {
    var headers: HTTPHeaders = [:]
    if let key = request.key { headers.append("Idempotency-Key", key) }
    if let prefer = request.prefer { headers.append("Prefer", prefer) }
    return ask(
      .post,
      request.session.path + "/inputs",
      request.body,
      headers: headers,
      for: .submit(request)
    )
  }

  /// Returns a session's snapshot once it can be shown; nil if the session has ended.
  func show(_ session: SessionRecord) -> (version: Int, state: ShownState)? {
    for _ in 0..<5 where scheduler.violation == nil {
      let response = ask(.get, session.path, for: .show(session))
      if let response, response.status == 200 { return snapshot(response) }
      guard !session.isOver else { return nil }
      scheduler.run(for: .seconds(1))
    }
    scheduler.fail(
      .answered,
      "\(session.id.redacted) is unreachable, though faults have stopped"
    )
    return nil
  }

  private func snapshot(_ response: HTTPResponse) -> (version: Int, state: ShownState)? {
    do {
      let root = try JSONDocument(response.bytes).root
      guard let version = try root["version"]?.decode(Int.self),
        let state = try root["state"]?.decode(ShownState.self)
      else { return nil }
      return (version, state)
    } catch {
      scheduler.fail(.contract, "a snapshot cannot be read: \(error)")
      return nil
    }
  }

  // MARK: Steps

  private func wakeAll() {
    for session in living { _ = show(session) }
  }

  /// Checks that timers that run according to State continue.
  private func keepTicking() {
    let ticking = living.compactMap { session -> (SessionRecord, Int)? in
      guard session.model == .alarm, let shown = show(session)?.state else { return nil }
      return shown.isTicking == true ? (session, shown.ticks ?? 0) : nil
    }
    guard !ticking.isEmpty else { return }
    scheduler.run(for: Alarm.interval * 3)
    for (session, ticks) in ticking {
      guard let shown = show(session)?.state else { continue }
      // An Input that was still queued may have stopped the timer.
      if shown.isTicking == true, shown.ticks ?? 0 <= ticks, !session.isCutOff {
        scheduler.fail(.restored, "the timer of \(session.id.redacted) does not continue")
      }
      send(InputRequest(session, "\"stop\""))
    }
  }

  /// Checks that a held request alone keeps its session longer than an idle session lives.
  private func outlive() {
    guard world.plan.idleTime < .seconds(6), let session = living.first,
      let version = show(session)?.version
    else { return }
    let headers: HTTPHeaders = ["If-None-Match": "\"\(version)\"", "Prefer": "wait=6"]
    ask(.get, session.path, headers: headers, for: .show(session))
  }

  private func comeToRest() {
    scheduler.run(for: .seconds(8))
    for stream in streams where !stream.isOver {
      if !stream.isConnected { scheduler.fail(.answered, "a stream does not reconnect") }
    }
    let couriers = world.sessions.filter { $0.model == .courier }
    let hasArrived = scheduler.run(atMost: .seconds(15)) { [store = world.store] in
      !couriers.contains { store.stored($0.id)?.alarms.contains(where: \.isMessage) == true }
    }
    if !hasArrived {
      scheduler.fail(.messages, "a message is not delivered, though faults have stopped")
    }
    scheduler.run(for: .seconds(1))
  }

  /// Shows a session, and once more if it is stored in a newer version by then: the request that shows a sleeping
  /// session wakes it, and its overdue alarm rings just after the answer.
  private func showNewest(_ session: SessionRecord) -> (version: Int, state: ShownState)? {
    guard let shown = show(session) else { return nil }
    let stored = world.store.stored(session.id)?.newest(world.store.patches).version ?? 0
    return stored > shown.version ? show(session) : shown
  }

  /// Checks that the live State, the stored one and the newest one of streams are the same.
  private func compare() {
    for session in living {
      guard let shown = showNewest(session) else { continue }
      let stored = world.store.stored(session.id)
      guard let stored, let record = world.store.history.sessions[session.id] else {
        scheduler.fail(.stored, "\(session.id.redacted) is not stored")
        continue
      }
      let (version, state) = stored.newest(world.store.patches)
      if version != shown.version || state != record.states[shown.version] {
        scheduler.fail(
          .stored,
          "\(session.id.redacted) is at version \(shown.version), and reads back as \(version)"
        )
      }
      for stream in streams where stream.sessions.contains(where: { $0 === session }) {
        let last = stream.last[session.id]
        if last != shown.version {
          scheduler.fail(.streams, "a stream ends at version \(last ?? 0) of \(shown.version)")
        }
      }
    }
  }

  /// Checks that acknowledged Inputs are present once, and refused ones are absent.
  func count() {
    for session in living {
      // Read before the State, so that an alarm that rings in between does not count as lost.
      let alarms = world.store.stored(session.id)?.alarms ?? []
      guard let state = show(session)?.state else { continue }
      judge(state, of: session, alarms)
      world.judge.judgeOrder(state.items, of: session)
      let numbers = Set(state.numbers)
      let others = numbers.subtracting(session.origin?.numbers ?? [])
        .filter { world.requests[$0]?.session !== session }
      if let number = others.min() {
        scheduler.fail(
          .forks,
          "\(session.id.redacted) has \(number), which was sent to another session"
        )
      }
      for request in world.inputRequests where request.session === session {
        let found = request.numbers.filter(numbers.contains)
        if request.isAcknowledged, found.count < request.numbers.count {
          scheduler.fail(
            .acknowledged,
            "only \(found) of the acknowledged \(request.numbers) is applied"
          )
        } else if request.isKnownToBeRefused, !found.isEmpty {
          scheduler.fail(.acknowledged, "\(found) of the refused \(request.numbers) is applied")
        }
      }
    }
  }

  /// Checks that each message has arrived once, and in order.
  private func judgeMessages() {
    guard let states = couriers else { return }
    // A refusal rings as an alarm, which a step of the calendar may have moved far ahead.
    let isAhead = living.contains { session in
      session.model == .courier
        && world.store.stored(session.id)?.alarms.contains { !$0.isMessage } == true
    }
    if isAhead, world.plan.clockSteps > 0 { return }
    if let fault = Courier.fault(states) { scheduler.fail(.messages, fault) }
  }

  /// Checks that each follower has received the newest State.
  private func judgeFollowing() {
    var fault: String?
    for _ in 0..<20 where scheduler.violation == nil {
      guard let states = couriers else { return }
      fault = Courier.missed(states)
      if fault == nil {
        let followers = states.values.filter { $0.followed != nil }
        if !followers.isEmpty { scheduler.coverage.add(.sessionFollowed) }
        if states.values.contains(where: { $0.over?.isEmpty == false }) {
          scheduler.coverage.add(.followedUntilEnd)
        }
        return
      }
      // A followed session that could not be reached is looked up again.
      scheduler.run(for: .seconds(1))
    }
    if let fault { scheduler.fail(.following, fault) }
  }

  /// The States of all living couriers; nil if one cannot be shown.
  private var couriers: [String: ShownState]? {
    let states = living.filter { $0.model == .courier }
      .map { session in ("\(session.id)", show(session).map { session.whole($0.state) }) }
    guard states.allSatisfy({ $0.1 != nil }) else { return nil }
    return states.reduce(into: [:]) { $0[$1.0] = $1.1 }
  }

  /// Checks a State at rest.
  private func judge(_ state: ShownState, of session: SessionRecord, _ alarms: [StoredAlarm]) {
    let (numbers, name) = (state.numbers, session.id.redacted)
    if Set(numbers).count < numbers.count { scheduler.fail(.keys, "applied twice: \(numbers)") }
    if session.model == .reminder {
      judgeAlarms(state, of: session, alarms)
    } else if let rung = state.rung, rung.count != numbers.count || Set(rung) != Set(numbers) {
      scheduler.fail(.restored, "\(name) has rung \(rung) of \(numbers)")
    }
    if !session.isCutOff,
      state.pending != nil || state.waiting?.isEmpty == false
        || state.workers?.isEmpty == false
    {
      scheduler.fail(.restored, "\(name) stays busy forever")
    }
    if let tally = state.tally, let workers = state.workers {
      if tally.sentAway > 0, tally.done > 0 { scheduler.coverage.add(.childrenGone) }
      if tally.come != tally.done + tally.sentAway + workers.count {
        scheduler.fail(.children, "\(name) has \(workers.count) workers left, and counts \(tally)")
      }
    }
    if let count = state.count, count != numbers.count {
      scheduler.fail(.restored, "\(name) counts \(count) of \(numbers)")
    }
    if state.count != nil, let record = world.store.history.sessions[session.id],
      let first = record.versions.first, !Bytes(record.states[first] ?? []).hasCount
    {
      scheduler.coverage.add(.stateMigrated)
    }
  }

  /// Checks that all alarms have rung that were not cancelled, except those that the calendar has moved
  /// ahead.
  private func judgeAlarms(
    _ state: ShownState,
    of session: SessionRecord,
    _ alarms: [StoredAlarm]
  ) {
    let missing = Set(state.items).subtracting(state.rung ?? []).subtracting(state.cancelled ?? [])
    let late = world.wallTime - .seconds(3)
    let ahead = alarms.filter { $0.time > late }.map(\.name)
    let lost = missing.subtracting(session.origin?.silent ?? [])
      .filter { !ahead.contains(Array("\($0)".utf8)) }
    if !lost.isEmpty {
      scheduler.fail(.alarms, "\(session.id.redacted) has not rung \(lost.sorted())")
    }
  }

  /// Checks that another process shows the same versions.
  private func restart() {
    let before = living.map { ($0, show($0)?.version) }
    if scheduler.chance(50) { world.kill() } else { world.stop() }
    world.start()
    _ = scheduler.run(atMost: .seconds(20)) { world.isUp }
    for (session, version) in before {
      // An alarm may ring meanwhile, and a message may arrive.
      let mayGrow = session.model.isCalled
      if let shown = show(session), let version,
        mayGrow ? shown.version < version : shown.version != version
      {
        scheduler.fail(.versions, "version \(version) reads back as \(shown.version)")
      }
    }
    scheduler.run(for: .seconds(2))
  }

  private func end() {
    let followed = Set(couriers?.values.compactMap(\.followed) ?? [])
    if let session = living.first(where: { followed.contains("\($0.id)") }) ?? living.first {
      ask(.delete, session.path, for: .delete(session))
      scheduler.run(for: .milliseconds(100))
      judgeFollowing()
      for stream in streams where stream.sessions.contains(where: { $0 === session }) {
        if !stream.ended.contains(session.id) {
          scheduler.fail(.streams, "a stream is not told of the session's end")
        }
      }
    }
    for stream in streams { stream.leave() }
    if world.plan.clockSteps > 0 {
      // For the next process, everything up to now lies in the future.
      world.setClock(by: .seconds(-3_600))
      world.kill()
      world.start()
    }
    // An alarm keeps its session alive, and a step of the calendar may have moved it far ahead.
    for session in living + unknown where session.model.isCalled {
      ask(.delete, session.path, for: .delete(session))
    }
    world.isAskingForExpiring = true
    world.store.faults.delay = .milliseconds(200)
    scheduler.run(for: world.plan.idleTime + .seconds(7))
    for session in world.sessions {
      let status = ask(.get, session.path, for: .show(session))?.status
      if status != 410, status != 404 || !world.isClockAhead {
        scheduler.fail(.ended, "a request for an ended session gets \(status ?? 0)")
      }
    }
  }

  /// The sessions that no client knows because their answer was lost.
  private var unknown: [SessionRecord] {
    let known = Set(world.sessions.map(\.id))
    return world.store.history.sessions.filter { !known.contains($0.key) && $0.value.end == nil }
      .values.compactMap(\.first).sorted { $0.id < $1.id }
      .compactMap { first in
        ModelKind(rawValue: first.viewModel).map { SessionRecord(first.id, model: $0) }
      }
  }

  /// Checks that no view model, task or timer is left.
  private func leaveNothing() {
    guard let service = world.service else { return }
    // The tasks that sleep all the time: one that expires sessions, one that keeps the store up to date, one
    // for alarms, perhaps one that puts sessions to sleep, and one for the store. The task for alarms may be
    // asking the store now.
    let waiting = world.plan.sleepAfter == nil ? 3 : 4
    let sleepers = { service.time.sleeping - waiting - (service.host.health.isTimed ? 1 : 0) }
    _ = scheduler.run(atMost: .seconds(2)) { sleepers() == 0 }
    let stored = (try? world.store.memory.inventory().sessions.count) ?? 0
    let left = [
      "view models": service.probes.alive, "sessions": service.host.directory.count,
      "sessions awake": service.host.directory.awake, "timeouts": service.host.timeouts.count,
      "streams": service.api.openStreams, "stored sessions": stored,
      "sleepers": sleepers(),
    ].filter { $0.value != 0 }
    if !left.isEmpty {
      let text = left.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }
      scheduler.fail(.ended, "left: \(text.joined(separator: ", "))")
    }
  }
}

extension StoredSession {
  /// Returns the version and State that a read yields.
  func newest(_ patches: HostedViewModel.Patches) -> (version: Int, state: [UInt8]) {
    var newest = (version: head.version, state: head.state)
    for entry in entries {
      newest.version = entry.version
      switch entry.outcome {
      case .unchanged: break
      case .state(let state): newest.state = state
      case .patch(let patch): newest.state = (try? patches.apply(patch, newest.state)) ?? []
      }
    }
    return newest
  }
}
