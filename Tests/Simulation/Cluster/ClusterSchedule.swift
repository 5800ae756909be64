import FusionHTTPMessages
import FusionSessions
import FusionStrictJSON

/// A run of several nodes: first with faults, then without, until everything has to be consistent.
package struct ClusterSchedule {
  private let world: ClusterWorld
  private let clients: [ClusterClient]
  /// A session that observes its visitors, in some schedules.
  private let guestBook: GuestBook?

  package static func run(
    seed: UInt64,
    planting faults: [ClusterFault] = [],
    excusing rules: Set<Rule> = [],
    isTracing: Bool = false
  ) -> Schedule.Outcome {
    let world = ClusterWorld(
      seed: seed,
      planting: Set(faults),
      excusing: rules,
      isTracing: isTracing
    )
    let schedule = ClusterSchedule(world: world)
    schedule.run()
    let scheduler = world.scheduler
    world.killAll()
    return Schedule.Outcome(
      violation: scheduler.violation,
      fingerprint: scheduler.trace.fingerprint,
      steps: scheduler.steps,
      coverage: scheduler.coverage,
      lines: scheduler.trace.lines
    )
  }

  private init(world: ClusterWorld) {
    self.world = world
    guestBook = world.hasGuests ? GuestBook(world) : nil
    clients = (0..<2 + world.scheduler.below(2)).map { ClusterClient(world, number: $0) }
  }

  private var scheduler: Scheduler { world.scheduler }

  private func run() {
    world.startAll()
    scheduler.run(for: .milliseconds(200))
    for client in clients {
      scheduler.after(scheduler.duration(upTo: .milliseconds(300))) { client.begin() }
    }
    let chaos = Duration.seconds(4 + scheduler.below(12))
    for _ in 0..<1 + scheduler.below(5) { world.planFault(within: chaos) }
    for _ in 0..<scheduler.below(3) { world.planRecovery(within: chaos) }
    guestBook?.begin(within: chaos)
    var watchers: [Watcher] = []
    for _ in 0..<1 + scheduler.below(3) {
      scheduler.after(.seconds(1) + scheduler.duration(upTo: .seconds(3))) { [world] in
        let sessions = world.ledger.sessions
        guard !sessions.isEmpty else { return }
        let watcher = Watcher(world, sessions[world.scheduler.below(sessions.count)])
        watchers.append(watcher)
        watcher.connect()
      }
    }
    scheduler.run(for: chaos)
    world.mendAll()
    scheduler.note(6, "faults stop")
    let isAnswered = scheduler.run(atMost: .seconds(300)) { clients.allSatisfy(\.isDone) }
    if !isAnswered {
      scheduler.fail(.answered, "a client gets no answer, though faults have stopped")
    }
    scheduler.run(for: .seconds(12))
    for id in world.ledger.sessions where scheduler.violation == nil { check(id, watchers) }
    if scheduler.violation == nil { checkMessages() }
    if scheduler.violation == nil { checkReplies() }
    if scheduler.violation == nil { guestBook?.check() }
    if scheduler.violation == nil { checkFollowing() }
  }

  /// Checks that each follower has received the newest State.
  private func checkFollowing() {
    var fault: String?
    for _ in 0..<20 where scheduler.violation == nil {
      var states: [String: ShownState] = [:]
      for id in world.ledger.couriers { states["\(id)"] = newest(of: id) }
      fault = Courier.missed(states)
      if fault == nil {
        if states.values.contains(where: { $0.followed != nil }) {
          scheduler.coverage.add(.followedAmongNodes)
        }
        return
      }
      scheduler.run(for: .seconds(1))
    }
    if let fault { scheduler.fail(.following, fault) }
  }

  /// Returns the State of a session as one of the nodes shows it.
  private func newest(of id: SessionID) -> ShownState? {
    var state: ShownState?
    var isThere = false
    world.ask(world.anyNode(), .get, "/sessions/\(id)") { response in
      isThere = true
      state = response?.state.flatMap { try? JSONDocument($0).root.decode(ShownState.self) }
    }
    _ = scheduler.run(atMost: .seconds(30)) { isThere }
    return state
  }

  /// Checks that each message has arrived once, and in order.
  private func checkMessages() {
    var states: [String: ShownState] = [:]
    for id in world.ledger.couriers {
      states["\(id)"] = world.ledger.newest(of: id).map { world.ledger.whole($0, of: id) }
    }
    if let fault = Courier.fault(states) { scheduler.fail(.messages, fault) }
  }

  /// Checks that an answer that waits for all work has the replies from other nodes.
  private func checkReplies() {
    let couriers = world.ledger.couriers.filter { !world.ledger.isTakenBack("\($0)") }
    for (id, other) in zip(couriers, couriers.dropFirst() + couriers.prefix(1)) {
      let number = nextNumberWithReply()
      let input = #"{"pass":{"_0":\#(number),"to":"\#(other)"}}"#
      var answer = answerToWaiting(id, input)
      // The node's own acquisition, if it arrived late, has fenced the session that the node holds.
      if answer?.status == 503, answer?.text.contains("store-unreachable") == true {
        answer = answerToWaiting(id, input)
      }
      guard let answer, answer.status == 200,
        let state = try? answer.state.map({ try JSONDocument($0).root.decode(ShownState.self) })
      else {
        return scheduler.fail(.answered, "a courier gets no answer, though faults have stopped")
      }
      guard Bytes(answer.bytes).isSettled == true else {
        return scheduler.fail(.settled, "\(id.redacted) never settles: \(answer.text)")
      }
      if let owed = Courier.owed(state, for: [number], mayLack: { _ in false }) {
        return scheduler.fail(.settled, "\(id.redacted) is settled, but \(owed) is owed")
      }
      scheduler.coverage.add(.repliedAmongNodes)
    }
  }

  /// Returns the answer to an Input that waits for all work.
  private func answerToWaiting(_ id: SessionID, _ input: String) -> HTTPResponse? {
    var answer: HTTPResponse?
    var isThere = false
    let path = "/sessions/\(id)/inputs"
    world.ask(world.anyNode(), .post, path, input, headers: ["Prefer": "wait=9"]) { response in
      isThere = true
      answer = response
    }
    _ = scheduler.run(atMost: .seconds(30)) { isThere }
    return answer
  }

  private func nextNumberWithReply() -> Int {
    var number = world.nextNumber()
    while !Courier.isThankedFor(number) { number = world.nextNumber() }
    return number
  }

  private func check(_ id: SessionID, _ watchers: [Watcher]) {
    var answers: [(version: Int, items: [Int])] = []
    for node in world.nodes {
      let floor = world.ledger.seen(of: id)
      var isThere = false
      world.ask(node, .get, "/sessions/\(id)") { [world] response in
        isThere = true
        guard let response, response.status == 200,
          let root = try? JSONDocument(response.bytes).root,
          let version = try? root["version"]?.decode(Int.self),
          let state = try? root["state"]?.decode(ShownState.self)
        else { return }
        world.ledger.see(version, response.state, of: id, after: floor, in: "the last answer")
        answers.append((version, state.items))
        if let cancelled = state.cancelled {
          let lost = Set(state.items).subtracting(state.rung ?? []).subtracting(cancelled)
            .subtracting(world.ledger.origin(of: id)?.silent ?? [])
          if !lost.isEmpty { scheduler.fail(.alarms, "alarms did not ring: \(lost.sorted())") }
        }
      }
      _ = scheduler.run(atMost: .seconds(30)) { isThere }
    }
    guard answers.count == world.nodes.count else {
      return scheduler.fail(
        .answered,
        "not all nodes show \(id.redacted), though faults have stopped"
      )
    }
    for answer in answers { world.ledger.judge(answer.items, of: id) }
    scheduler.run(for: .seconds(1))
    for watcher in watchers where watcher.session == id {
      if watcher.last < answers.map(\.version).max() ?? 0 {
        scheduler.fail(
          .streams,
          "a stream ends at version \(watcher.last) of \(answers[0].version)"
        )
      }
    }
  }
}
