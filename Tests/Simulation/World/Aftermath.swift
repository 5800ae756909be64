import HTTPMessages
import SessionAPI
import Sessions
import StrictJSON

/// What has to be so once faults have stopped: nothing lost, nothing twice, nothing left.
struct Aftermath {
  private let world: World
  private let followers: [Follower]

  init(_ world: World, _ followers: [Follower]) {
    self.world = world
    self.followers = followers
  }

  private var scheduler: Scheduler { world.scheduler }
  private var living: [SessionRecord] { world.sessions.filter { !$0.isOver } }

  func run() {
    let steps = [
      wakeAll, keepTicking, comeToRest, compare, count, restart, replay, end, leaveNothing,
    ]
    for step in steps where scheduler.violation == nil { step() }
  }

  // MARK: Asking

  /// Sends a request and lets things go on until it is answered.
  @discardableResult
  private func ask(
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
      scheduler.fail("6: \(method.rawValue) \(path) is not answered, though faults have stopped")
    }
    return answer
  }

  /// A session, once it can be shown; nil where it is over.
  private func show(_ session: SessionRecord) -> (version: Int, state: ShownState)? {
    for _ in 0..<5 where scheduler.violation == nil {
      let response = ask(.get, session.path, for: .show(session))
      if let response, response.status == 200 { return snapshot(response) }
      guard !session.isOver else { return nil }
      scheduler.run(for: .seconds(1))
    }
    scheduler.fail("6: \(session.id.redacted) is out of reach, though faults have stopped")
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
      scheduler.fail("a snapshot cannot be read: \(error)")
      return nil
    }
  }

  // MARK: Steps

  private func wakeAll() {
    for session in living { _ = show(session) }
  }

  /// 8: a timer that State says is running goes on.
  private func keepTicking() {
    let ticking = living.compactMap { session -> (SessionRecord, Int)? in
      guard session.viewModel == "alarm", let shown = show(session)?.state else { return nil }
      return shown.isTicking == true ? (session, shown.ticks ?? 0) : nil
    }
    guard !ticking.isEmpty else { return }
    scheduler.run(for: Alarm.interval * 3)
    for (session, ticks) in ticking {
      guard let shown = show(session)?.state else { continue }
      // An Input that was still queued may have stopped it.
      if shown.isTicking == true, shown.ticks ?? 0 <= ticks {
        scheduler.fail("8: the timer of \(session.id.redacted) does not go on")
      }
      ask(
        .post,
        session.path + "/inputs",
        "\"stop\"",
        for: .take(
          Order(session, [], body: "\"stop\"", key: nil, prefer: nil, isConditional: false)
        )
      )
    }
  }

  private func comeToRest() {
    scheduler.run(for: .seconds(8))
    for follower in followers where !follower.isOver {
      if !follower.isConnected { scheduler.fail("6: a stream does not come back") }
    }
  }

  /// 4 and 5: what is live, what is stored and what streams have shown is the same.
  private func compare() {
    for session in living {
      guard let shown = show(session) else { continue }
      let stored = world.store.stored(session.id)
      guard let stored, let record = world.store.history.sessions[session.id] else {
        scheduler.fail("5: \(session.id.redacted) lives, and is not stored")
        continue
      }
      let (version, state) = stored.newest(world.store.patches)
      if version != shown.version || state != record.states[shown.version] {
        scheduler.fail(
          "5: \(session.id.redacted) is at version \(shown.version), and reads back as \(version)"
        )
      }
      for follower in followers where follower.sessions.contains(where: { $0 === session }) {
        let last = follower.last[session.id]
        if last != shown.version {
          scheduler.fail("4: a stream ends at version \(last ?? 0) of \(shown.version)")
        }
      }
    }
  }

  /// 1 and 2: what was acknowledged is there once, and what was refused is not.
  private func count() {
    for session in living {
      guard let state = show(session)?.state else { continue }
      let items = Set(state.items)
      if items.count < state.items.count { scheduler.fail("2: applied twice: \(state.items)") }
      if let rung = state.rung, rung.count != items.count || Set(rung) != items {
        scheduler.fail("8: rung is \(rung) of \(state.items)")
      }
      if state.pending != nil { scheduler.fail("8: \(session.id.redacted) is busy for ever") }
      for order in world.orders where order.session === session {
        let found = order.numbers.filter(items.contains)
        if order.isAcknowledged, found.count < order.numbers.count {
          scheduler.fail("1: of \(order.numbers), acknowledged, there is \(found)")
        } else if !order.isAcknowledged, !order.isInDoubt, !found.isEmpty {
          scheduler.fail("1: of \(order.numbers), refused, there is \(found)")
        } else if order.key != nil, !found.isEmpty, found.count < order.numbers.count {
          scheduler.fail("1: of the batch \(order.numbers) there is \(found)")
        }
      }
    }
  }

  /// 5: another process shows the same.
  private func restart() {
    let before = living.map { ($0, show($0)?.version) }
    if scheduler.chance(50) { world.kill() } else { world.stop() }
    world.start()
    _ = scheduler.run(atMost: .seconds(20)) { world.service != nil }
    for (session, version) in before {
      if let shown = show(session), shown.version != version {
        scheduler.fail("3: version \(version ?? 0) reads back as \(shown.version)")
      }
    }
    scheduler.run(for: .seconds(2))
  }

  /// 2: keys hold in the next process, too; and what was never answered, is by now.
  private func replay() {
    for order in world.orders where order.key != nil && !order.session.isOver {
      for _ in 0..<2 {
        let isKnown = order.answer != nil
        let before = order.session.seen
        ask(
          .post,
          order.session.path + "/inputs",
          order.body,
          headers: ["Idempotency-Key": order.key ?? ""],
          for: .take(order)
        )
        if isKnown, order.session.viewModel == "tape", order.session.seen > before {
          scheduler.fail("2: a repetition makes a new version")
        }
      }
    }
    scheduler.run(for: .seconds(2))
    count()
  }

  private func end() {
    if let session = living.first {
      ask(.delete, session.path, for: .delete(session))
      scheduler.run(for: .milliseconds(100))
      for follower in followers where follower.sessions.contains(where: { $0 === session }) {
        if !follower.ended.contains(session.id) {
          scheduler.fail("4: a stream is not told the end")
        }
      }
    }
    for follower in followers { follower.leave() }
    scheduler.run(for: world.plan.idleTime + .seconds(7))
    for session in world.sessions {
      let status = ask(.get, session.path, for: .show(session))?.status
      if status != 410 { scheduler.fail("7: a session that is over is answered \(status ?? 0)") }
    }
  }

  /// 7: no view model, no task, no timer is left.
  private func leaveNothing() {
    guard let service = world.service else { return }
    let stored = (try? world.store.memory.inventory().sessions.count) ?? 0
    let left = [
      "view models": service.probes.alive, "sessions": service.host.count,
      "sessions awake": service.host.awake, "timeouts": service.host.timeouts.count,
      "streams": service.api.openStreams, "stored sessions": stored,
      // One waits to let sessions expire.
      "sleepers": service.time.sleeping - 1,
    ].filter { $0.value != 0 }
    if !left.isEmpty {
      let text = left.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }
      scheduler.fail("7: left: \(text.joined(separator: ", "))")
    }
  }
}

extension StoredSession {
  /// The version and State that reading gives.
  fileprivate func newest(_ patches: HostedViewModel.Patches) -> (version: Int, state: [UInt8]) {
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
