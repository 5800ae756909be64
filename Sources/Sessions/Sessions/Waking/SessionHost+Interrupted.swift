import Synchronization
import UIFusionKit

/// Sessions that were interrupted at work, when the process before ended or their node died.
extension SessionHost {
  /// The number of sessions that are read at once: requests read sessions, too.
  private static let wokenAtOnce = 8
  /// The number of woken sessions after which those whose work has ended give their memory back.
  private static let wokenBetweenSleeps = 512

  /// Wakes sessions that were interrupted at work: once, or for as long as the task runs where nodes may die, since
  /// perhaps no client asks for them.
  ///
  /// Waits while the store does not work; throws when the task is cancelled.
  package func keepTakingOver() async throws {
    var unreadable: Set<SessionID> = []
    while true {
      if isLeaseHeld { try await wakeInterrupted(leaving: &unreadable) }
      guard let pause = ownership.takeOverPause else { return }
      try await dependencies.time.sleep(for: pause)
    }
  }

  /// Wakes the sessions in which something was running when they were stored last, so that `restored`
  /// can begin it again.
  ///
  /// Once their work is done, these sessions go back to sleep as if they had slept on, since no client has asked for
  /// them. Sessions that cannot be read here are added to `unreadable`, and left to clients.
  private func wakeInterrupted(leaving unreadable: inout Set<SessionID>) async throws {
    var (woken, failed, unslept) = (0, 0, 0)
    var next: Int64? = 0
    // A shared store tells of a session again that could not be woken, at the end of its order.
    var tried: Set<SessionID> = []
    while let after = next {
      guard let found = try await interrupted(after: after) else { break }
      next = found.next
      let new = found.sessions.filter { tried.insert($0.id).inserted }
      if new.isEmpty, !found.sessions.isEmpty { break }
      var rest = new.filter { session in
        viewModel(named: session.viewModel) != nil && !unreadable.contains(session.id)
          && !isSetAside(session.id)
      }.map(\.id)[...]
      while !rest.isEmpty {
        let some = rest.prefix(Self.wokenAtOnce)
        rest = rest.dropFirst(some.count)
        let outcomes = try await wakeForNobody(Array(some))
        for outcome in outcomes {
          switch outcome {
          case .woken: woken += 1
          case .failed, .damaged: failed += 1
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
    // A repeated failure is not logged again.
    let isNews = woken > 0 || failed > 0 && !isRepeated
    if isNews { report(.wokeInterrupted(woken, failed: failed)) }
  }

  /// Whether a session that could not be woken is tried again in the next round.
  private var isRepeated: Bool { ownership.takeOverPause != nil }

  /// Asks the store until it answers; returns nil if it is closed or damaged.
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

  // MARK: One session

  enum WakingOutcome { case woken, failed, damaged, unreadable(SessionID), leftAlone }

  private func wakeForNobody(_ ids: [SessionID]) async throws -> [WakingOutcome] {
    try await withThrowingTaskGroup { group in
      for id in ids { group.addTask { [self] in try await wakeForNobody(id) } }
      return try await group.reduce(into: []) { $0.append($1) }
    }
  }

  func wakeForNobody(_ id: SessionID) async throws -> WakingOutcome {
    // Only the store knew the owner.
    forgetLocation(of: id)
    var isFirst = true
    // A client's request may be faster.
    while table.withLock({ $0.canWakeForNobody(id) }) {
      let failure = await withCheckedContinuation { continuation in
        wake(id, isClientWaiting: false) { continuation.resume(returning: $0) }
      }
      switch failure {
      case nil where table.withLock({ $0.live(id)?.isAwake == true }): return .woken
      case .unreadable, .unreadableHere: return .unreadable(id)
      case .setAside: return .leftAlone
      case .store(.damaged): return .damaged
      case .elsewhere: return .leftAlone
      case nil where isRepeated: return .leftAlone
      case .store: if isRepeated { return .failed }
      // Where memory stays full, the session stays asleep until a client asks; it must not block others.
      case .memoryFull: if isRepeated || !isFirst { return .failed }
      // The session has ended, or its end failed just now.
      case nil: break
      }
      isFirst = false
      try await dependencies.time.sleep(for: .seconds(1))
    }
    return .leftAlone
  }
}
