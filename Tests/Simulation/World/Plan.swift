/// The random parameters of a schedule, and its planted faults.
struct Plan: Sendable {
  var clients: Int
  /// The view models of the sessions, repeated according to their frequency.
  var models = ModelKind.usual
  /// The number of actions of each client.
  var actions: Int
  var streams: Int
  /// The time during which faults happen.
  var chaos: Duration
  var restarts: Int
  /// The number of steps of the calendar.
  var clockSteps: Int
  /// Whether the second process is of a newer deployment than the first.
  var isDeployedAnew: Bool
  var idleTime: Duration
  var queuedInputs: Int
  /// The limit on a session's bytes that wait for the store.
  var unstoredBytes: Int
  /// The idle time after which a session sleeps; nil if none does.
  var sleepAfter: Duration?
  /// Whether interrupted sessions are woken at a start.
  var isWakingInterrupted: Bool
  /// Whether a session gets more keys than are kept.
  var isFillingKeys: Bool
  var planted: Set<PlantedFault>

  init(_ scheduler: Scheduler, seed: UInt64, planting faults: Set<PlantedFault>) {
    clients = 1 + scheduler.below(3)
    actions = 2 + scheduler.below(5)
    streams = scheduler.below(4)
    chaos = .milliseconds(500 + scheduler.below(4_000))
    restarts = scheduler.chance(60) ? 1 + scheduler.below(2) : 0
    clockSteps = scheduler.chance(20) ? 1 + scheduler.below(2) : 0
    isDeployedAnew = scheduler.chance(40)
    idleTime = scheduler.chance(20) ? .seconds(4) : .seconds(40)
    queuedInputs = scheduler.chance(30) ? 3 : 256
    unstoredBytes = scheduler.chance(20) ? 2_500 : 4 << 20
    sleepAfter = queuedInputs == 3 ? .milliseconds(600) : nil
    isWakingInterrupted = actions.isMultiple(of: 2)
    isFillingKeys = scheduler.chance(2)
    planted = faults
    // Decided without a random number, so that the schedules of other seeds stay the same; teams are slow.
    if seed.isMultiple(of: 7) { models += Array(repeating: .team, count: models.count) }
  }
}

extension StoreFaults {
  /// Returns random faults.
  static func some(_ scheduler: Scheduler) -> StoreFaults {
    var faults = StoreFaults()
    switch scheduler.below(6) {
    case 0: break
    case 1: faults.delay = .milliseconds(1_500)
    case 2: faults.mode = .full
    case 3: faults.mode = .dead
    default:
      faults.lostRequests = 5 + scheduler.below(20)
      faults.lostAnswers = 5 + scheduler.below(20)
    }
    if faults.delay == .zero, scheduler.chance(75) {
      faults.delay = .microseconds(100 + scheduler.below(60_000))
    }
    return faults
  }
}
