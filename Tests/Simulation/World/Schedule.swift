import Sessions

/// One run of a world: disorder at first, then order, in which everything has to come right.
package struct Schedule {
  package struct Outcome: Sendable {
    /// The first thing that was not as it has to be.
    package var violation: String?
    /// The same for two runs of one seed.
    package var fingerprint: UInt64
    package var steps: Int
    /// What happened, if it was to be told.
    package var lines: [String]
  }

  private let world: World
  private var followers: [Follower] = []

  package static func run(
    seed: UInt64,
    planting faults: [PlantedFault] = [],
    isTracing: Bool = false
  ) -> Outcome {
    let world = World(seed: seed, planting: faults, isTracing: isTracing)
    var schedule = Schedule(world: world)
    schedule.run()
    let scheduler = world.scheduler
    world.kill()
    return Outcome(
      violation: scheduler.violation,
      fingerprint: scheduler.trace.fingerprint,
      steps: scheduler.steps,
      lines: scheduler.trace.lines
    )
  }

  private init(world: World) {
    self.world = world
  }

  private var scheduler: Scheduler { world.scheduler }

  private mutating func run() {
    world.start()
    beDisorderly()
    guard scheduler.violation == nil else { return }
    Aftermath(world, followers).run()
  }

  // MARK: Disorder

  private mutating func beDisorderly() {
    let plan = world.plan
    let world = world
    let visitors = (0..<plan.visitors).map { Visitor(world, number: $0) }
    for visitor in visitors {
      scheduler.after(scheduler.duration(upTo: .milliseconds(300))) { visitor.begin() }
    }
    planFaults()
    // Followers come once there is something to follow.
    var newcomers: [Follower] = []
    for _ in 0..<plan.followers {
      scheduler.after(scheduler.duration(upTo: plan.chaos)) {
        let sessions = world.sessions.filter { !$0.isOver }
        guard !sessions.isEmpty else { return }
        let first = world.scheduler.below(sessions.count)
        var followed = [sessions[first]]
        if sessions.count > 1, world.scheduler.chance(25) {
          followed.append(sessions[(first + 1) % sessions.count])
        }
        let follower = Follower(world, followed)
        newcomers.append(follower)
        follower.connect()
      }
    }
    scheduler.run(for: plan.chaos)
    world.isUnruly = false
    world.store.faults = .none
    world.start()
    scheduler.note(6, "faults stop")
    let isAnswered = scheduler.run(atMost: .seconds(300)) {
      world.service != nil && visitors.allSatisfy(\.isDone) && world.exchanges.isEmpty
    }
    if !isAnswered, scheduler.violation == nil {
      let open = world.exchanges.keys.sorted().map { "#\($0)" }.joined(separator: " ")
      scheduler.fail("6: without an answer: \(open)")
    }
    followers = newcomers
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
    for _ in 0..<world.plan.kills {
      scheduler.after(scheduler.duration(upTo: world.plan.chaos)) {
        if world.scheduler.chance(70) { world.kill() } else { world.stop() }
        world.scheduler.after(world.scheduler.duration(upTo: .milliseconds(800))) { world.start() }
      }
    }
  }
}
