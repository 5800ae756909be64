/// What schedules are to reach, so that the rules about it are put to the test.
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
  case sessionExpired
  case expiredAfterRestart
  case clockSetForward
  case clockSetBack
  case clockSetBetweenProcesses
}

/// How often each situation was reached.
package struct Coverage: Sendable {
  private var counts: [Situation: Int] = [:]

  subscript(situation: Situation) -> Int { counts[situation] ?? 0 }

  mutating func add(_ situation: Situation) {
    counts[situation, default: 0] += 1
  }

  mutating func add(_ other: Coverage) {
    counts.merge(other.counts, uniquingKeysWith: +)
  }

  /// One line for each situation, those that were never reached last.
  package var summary: [String] {
    let reached = Situation.allCases.filter { self[$0] > 0 }
    let missed = Situation.allCases.filter { self[$0] == 0 }
    return reached.map { "reached \($0.rawValue): \(self[$0])" }
      + missed.map { "never reached: \($0.rawValue)" }
  }
}
