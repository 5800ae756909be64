/// The plan of a schedule: what the seed makes of it, and what is planted in it.
struct Plan: Sendable {
  var clients: Int
  /// The view models of the sessions, as often as they are to come up.
  var models = ModelKind.usual
  /// The number of actions of each client.
  var actions: Int
  var streams: Int
  /// The time for which faults come.
  var chaos: Duration
  var restarts: Int
  /// The number of times that the clock is set.
  var clockSteps: Int
  /// Whether the second process is of a newer deployment than the first.
  var isDeployedAnew: Bool
  var idleTime: Duration
  var queuedInputs: Int
  /// The bytes of a session's entries that may wait for the store.
  var unstoredBytes: Int
  /// The time that an idle session stays in memory; nil where none is put to sleep.
  var sleepAfter: Duration?
  /// Whether sessions that were at work are woken at a start.
  var isWakingInterrupted: Bool
  /// Whether a session comes to have more keys than are kept.
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
    // Without a draw: it takes longer than others, and leaves their seeds as they were.
    if seed.isMultiple(of: 7) { models += Array(repeating: .team, count: models.count) }
  }
}

extension StoreFaults {
  /// Some that a seed picks.
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
