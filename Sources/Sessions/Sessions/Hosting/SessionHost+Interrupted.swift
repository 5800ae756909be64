import Synchronization
import UIFusionKit

/// Sessions that were interrupted at work, when the process before ended.
extension SessionHost {
  /// How many are read at once: requests read sessions, too.
  private static let wokenAtOnce = 8
  /// After so many, those whose work has ended already give their memory back.
  private static let wokenBetweenSleeps = 512

  /// Wakes the sessions in which something was running when they were stored last, so that `restored`
  /// can begin it again.
  ///
  /// Nobody has asked for them: they expire, and go back to sleep, as if they had slept on. While the
  /// store does not work, it waits. Throws when the task is cancelled.
  package func wakeInterrupted() async throws {
    var unreadable: Set<SessionID> = []
    try await wakeInterrupted(leaving: &unreadable)
  }

  /// Leaves alone those that are known to be unreadable here, and adds what it cannot read: to try them again
  /// is for who asks for them.
  func wakeInterrupted(leaving unreadable: inout Set<SessionID>) async throws {
    var (woken, failed, unslept) = (0, 0, 0)
    var next: Int64? = 0
    // One that cannot be woken is let go of to come again, at the end of the store's order.
    var tried: Set<SessionID> = []
    while let after = next {
      guard let found = try await interrupted(after: after) else { break }
      next = found.next
      let new = found.sessions.filter { tried.insert($0.id).inserted }
      if lease != nil, new.isEmpty { break }
      var rest = new.filter { session in
        viewModel(named: session.viewModel) != nil && !unreadable.contains(session.id)
      }.map(\.id)[...]
      while !rest.isEmpty {
        let some = rest.prefix(Self.wokenAtOnce)
        rest = rest.dropFirst(some.count)
        let outcomes = try await wakeForNobody(Array(some))
        for outcome in outcomes {
          switch outcome {
          case .woken: woken += 1
          case .failed: failed += 1
          case .unreadable(let id):
            failed += 1
            unreadable.insert(id)
          case .leftAlone: break
          }
        }
        unslept += outcomes.count
        guard unslept >= Self.wokenBetweenSleeps else { continue }
        unslept = 0
        await putIdleToSleep()
      }
    }
    if woken + (lease == nil ? failed : 0) > 0 { report(.wokeInterrupted(woken, failed: failed)) }
  }

  /// Asks the store, until it answers; nil where it has no answer.
  private func interrupted(after number: Int64) async throws -> InterruptedSessions? {
    while let store {
      let result = await withCheckedContinuation { continuation in
        store.interrupted(after: number) { continuation.resume(returning: $0) }
      }
      switch result {
      case .success(let found): return found
      case .failure(.closed): return nil
      case .failure(.damaged(let text)):
        report(.interruptedUnknown(.damaged(text)))
        return nil
      case .failure(let error):
        storeFailed(error)
        try await dependencies.time.sleep(for: .seconds(1))
      }
    }
    return nil
  }

  private enum Outcome { case woken, failed, unreadable(SessionID), leftAlone }

  private func wakeForNobody(_ ids: [SessionID]) async throws -> [Outcome] {
    try await withThrowingTaskGroup { group in
      for id in ids { group.addTask { [self] in try await wakeForNobody(id) } }
      return try await group.reduce(into: []) { $0.append($1) }
    }
  }

  private func wakeForNobody(_ id: SessionID) async throws -> Outcome {
    // Whose it was is known to the store alone.
    if lease != nil { forgetLocation(of: id) }
    while isAsleepWithTimeLeft(id) || isForeign(id) {
      let failure = await withCheckedContinuation { continuation in
        wake(id, isAsked: false) { continuation.resume(returning: $0) }
      }
      switch failure {
      case nil where table.withLock({ $0.sessions[id]?.isAwake == true }): return .woken
      case nil where lease != nil: return .leftAlone
      // It has ended, or its end failed just now.
      case nil: try await dependencies.time.sleep(for: .seconds(1))
      case .unreadable, .unreadableHere: return .unreadable(id)
      case .store(.damaged): return .failed
      // The next round tries it again, or another node does.
      case .store where lease != nil, .memoryFull where lease != nil: return .failed
      case .elsewhere: return .leftAlone
      case .store, .memoryFull: try await dependencies.time.sleep(for: .seconds(1))
      }
    }
    return .leftAlone
  }

  /// False where somebody was faster, or it is about to expire.
  private func isAsleepWithTimeLeft(_ id: SessionID) -> Bool {
    let deadline = dependencies.time.now - limits.idleTime
    return table.withLock { table in table.asleep[id].map { $0 > deadline } ?? false }
  }
}
