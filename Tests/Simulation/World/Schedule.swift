import FusionSessions

/// A run of a service: first with faults, then without, until everything has to be consistent.
package struct Schedule {
  package struct Outcome: Sendable {
    /// The first violation.
    package var violation: String?
    /// The fingerprint, which is the same for two runs of one seed.
    package var fingerprint: UInt64
    package var steps: Int
    package var coverage: Coverage
    /// The trace, if requested.
    package var lines: [String]
  }

  private let world: World
  private var streams: [StreamClient] = []

  package static func run(
    seed: UInt64,
    planting faults: [PlantedFault] = [],
    excusing rules: Set<Rule> = [],
    isTracing: Bool = false
  ) -> Outcome {
    let world = World(seed: seed, planting: faults, excusing: rules, isTracing: isTracing)
    var schedule = Schedule(world: world)
    schedule.run()
    let scheduler = world.scheduler
    world.kill()
    return Outcome(
      violation: scheduler.violation,
      fingerprint: scheduler.trace.fingerprint,
      steps: scheduler.steps,
      coverage: scheduler.coverage,
      lines: scheduler.trace.lines
    )
  }

  private init(world: World) {
    self.world = world
  }

  private var scheduler: Scheduler { world.scheduler }

  private mutating func run() {
    world.start()
    runWithFaults()
    guard scheduler.violation == nil else { return }
    FinalChecks(world, streams).run()
  }

  // MARK: Faults

  private mutating func runWithFaults() {
    let plan = world.plan
    let world = world
    let clients = (0..<plan.clients).map { Client(world, number: $0) }
    for client in clients {
      scheduler.after(scheduler.duration(upTo: .milliseconds(300))) { client.begin() }
    }
    planFaults()
    planClockSteps()
    // Streams start when sessions exist.
    var newcomers: [StreamClient] = []
    for _ in 0..<plan.streams {
      scheduler.after(scheduler.duration(upTo: plan.chaos)) {
        let sessions = world.sessions.filter { !$0.isOver }
        guard !sessions.isEmpty else { return }
        let first = world.scheduler.below(sessions.count)
        var followed = [sessions[first]]
        if sessions.count > 1, world.scheduler.chance(25) {
          followed.append(sessions[(first + 1) % sessions.count])
        }
        let stream = StreamClient(world, followed)
        newcomers.append(stream)
        stream.connect()
      }
    }
    scheduler.run(for: plan.chaos)
    world.isUnruly = false
    world.store.faults = .none
    world.start()
    scheduler.note(6, "faults stop")
    let isAnswered = scheduler.run(atMost: .seconds(300)) {
      world.isUp && clients.allSatisfy(\.isDone) && world.exchanges.isEmpty
    }
    if !isAnswered, scheduler.violation == nil {
      let open = world.exchanges.values.sorted { $0.number < $1.number }
      let isMigrating = open.allSatisfy { $0.purpose.session?.model == .book }
      scheduler.fail(
        isMigrating && plan.isDeployedAnew ? .shownAfterMigration : .answered,
        "without an answer: \(open.map { "#\($0.number)" }.joined(separator: " "))"
      )
    }
    streams = newcomers
  }

  private func planFaults() {
    let world = world
    world.store.faults.delay =
      scheduler.chance(20) ? .zero : .microseconds(100 + scheduler.below(20_000))
    for _ in 0..<scheduler.below(4) {
      scheduler.after(scheduler.duration(upTo: world.plan.chaos)) {
        world.store.faults = .some(world.scheduler)
        world.scheduler.note(7, "store: from now on \(world.store.faults)")
      }
    }
    for _ in 0..<world.plan.restarts {
      scheduler.after(scheduler.duration(upTo: world.plan.chaos)) {
        if world.scheduler.chance(60) { world.kill() } else { world.stop() }
        if world.service == nil, world.plan.clockSteps > 0, world.scheduler.chance(50) {
          world.setClock(by: .clockStep(world.scheduler))
        }
        world.scheduler.after(world.scheduler.duration(upTo: .milliseconds(800))) { world.start() }
      }
    }
  }

  private func planClockSteps() {
    let world = world
    for _ in 0..<world.plan.clockSteps {
      scheduler.after(scheduler.duration(upTo: world.plan.chaos)) {
        world.setClock(by: .clockStep(world.scheduler))
      }
    }
  }
}

extension Duration {
  /// Returns some seconds or an hour, in either direction; not one second, which rounding may hide.
  fileprivate static func clockStep(_ scheduler: Scheduler) -> Duration {
    let length: Duration = scheduler.chance(50) ? .seconds(2 + scheduler.below(10)) : .seconds(3600)
    return scheduler.chance(50) ? length : .zero - length
  }
}
