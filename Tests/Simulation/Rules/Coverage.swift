/// A situation that schedules have to reach, so that the rules about it are tested.
package enum Situation: String, CaseIterable, Sendable {
  case patchStored
  case headStored
  case stateRestored
  case stateMigrated
  case interruptedWoken
  case queueFull
  case keyForgotten
  case keyReused
  case inputRepeated
  case conditionMet
  case conditionFailed
  case reactorInput
  case overlappingInput
  case queuedEffect
  case keyedWorkWithoutState
  case pulseKept
  case settledAfterWait
  case inputWhileStopping
  case refusedWhileStopping
  case outcomeInDoubt
  case storeRefused
  case changedNamesStored
  case childrenGone
  case alarmRang
  case alarmLate
  case messageDelivered
  case messageRefused
  case repliedBeforeSettled
  case sessionFollowed
  case followedUntilEnd
  case sessionForked
  case workCarried
  case sessionRecovered
  case sessionExpired
  case expiredAfterRestart
  case heldBeyondIdleTime
  case clockSetForward
  case clockSetBack
  case clockSetBetweenProcesses
  // Only with several nodes.
  case requestForwarded
  case messageAmongNodes
  case repliedAmongNodes
  case followedAmongNodes
  case leaseSilenced
  case leaseRestored
  case leaseLost
  case sessionFenced
  case sessionTakenOver
  case interruptedTakenOver
  case visitorsTold
  case forkedAmongNodes
  case recoveredAmongNodes

  /// The situations that schedules of several nodes have to reach.
  static let ofSeveralNodes: Set<Situation> = [
    .requestForwarded, .messageAmongNodes, .repliedAmongNodes, .followedAmongNodes,
    .leaseSilenced, .leaseRestored, .leaseLost, .sessionFenced,
    .sessionTakenOver, .interruptedTakenOver, .visitorsTold, .forkedAmongNodes,
    .recoveredAmongNodes,
  ]
}

/// The number of times that each situation was reached.
package struct Coverage: Sendable {
  private var counts: [Situation: Int] = [:]

  subscript(situation: Situation) -> Int { counts[situation] ?? 0 }

  mutating func add(_ situation: Situation) {
    counts[situation, default: 0] += 1
  }

  mutating func add(_ other: Coverage) {
    counts.merge(other.counts, uniquingKeysWith: +)
  }

  /// Returns a line for each situation; those that were never reached come last.
  func summary(ofSeveralNodes isOfSeveral: Bool) -> [String] {
    let all = Situation.allCases.filter { Situation.ofSeveralNodes.contains($0) == isOfSeveral }
    let reached = all.filter { self[$0] > 0 }
    let missed = all.filter { self[$0] == 0 }
    return reached.map { "reached \($0.rawValue): \(self[$0])" }
      + missed.map { "never reached: \($0.rawValue)" }
  }
}
