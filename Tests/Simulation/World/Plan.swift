/// What a seed makes of a schedule, and what is planted in it.
struct Plan: Sendable {
  var visitors: Int
  var orders: Int
  var followers: Int
  var chaos: Duration
  var kills: Int
  var idleTime: Duration
  var queuedInputs: Int
  var planted: Set<PlantedFault>

  init(_ scheduler: Scheduler, planting faults: Set<PlantedFault>) {
    visitors = 1 + scheduler.below(3)
    orders = 2 + scheduler.below(5)
    followers = scheduler.below(4)
    chaos = .milliseconds(500 + scheduler.below(4_000))
    kills = scheduler.chance(60) ? 1 + scheduler.below(2) : 0
    idleTime = scheduler.chance(20) ? .seconds(4) : .seconds(40)
    queuedInputs = scheduler.chance(20) ? 3 : 256
    planted = faults
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
