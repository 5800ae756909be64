import UIFusionKit

/// Takes over sessions that were interrupted at work, when the process before ended or their node died.
package final class TakeOver: Sendable {
  private let ownership: any SessionOwnership
  private let health: StoreHealth
  private let viewModels: HostedViewModels
  private let setAside: SetAsideSessions
  private let waker: Waker
  private let sleeper: Sleeper
  private let context: SessionContext

  init(
    _ ownership: any SessionOwnership,
    _ health: StoreHealth,
    _ viewModels: HostedViewModels,
    _ setAside: SetAsideSessions,
    _ waker: Waker,
    _ sleeper: Sleeper,
    _ context: SessionContext
  ) {
    (self.ownership, self.health, self.viewModels) = (ownership, health, viewModels)
    (self.setAside, self.waker, self.sleeper) = (setAside, waker, sleeper)
    self.context = context
  }

  /// The number of sessions that are read at once: requests read sessions, too.
  private static let wokenAtOnce = 8
  /// The number of woken sessions after which those whose work has ended give their memory back.
  private static let wokenBetweenSleeps = 512

  /// Wakes sessions that were interrupted at work: once, or for as long as the task runs where nodes may die, since
  /// perhaps no client asks for them.
  ///
  /// Waits while the store does not work; throws when the task is cancelled.
  package func run() async throws {
    var unreadable: Set<SessionID> = []
    while true {
      if ownership.isHeld { try await wakeInterrupted(leaving: &unreadable) }
      guard let pause = ownership.takeOverPause else { return }
      try await context.dependencies.time.sleep(for: pause)
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
        viewModels.named(session.viewModel) != nil && !unreadable.contains(session.id)
          && !setAside.contains(session.id)
      }.map(\.id)[...]
      while !rest.isEmpty {
        let some = rest.prefix(Self.wokenAtOnce)
        rest = rest.dropFirst(some.count)
        let outcomes = try await waker.wakeForNobody(Array(some))
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
        await sleeper.putIdleToSleep()
      }
    }
    // A repeated failure is not logged again.
    let isNews = woken > 0 || failed > 0 && !isRepeated
    if isNews { context.report(.wokeInterrupted(woken, failed: failed)) }
  }

  /// Whether a session that could not be woken is tried again in the next round.
  private var isRepeated: Bool { ownership.takeOverPause != nil }

  /// Asks the store until it answers; returns nil if it is closed or damaged.
  private func interrupted(after number: Int64) async throws -> InterruptedSessions? {
    while let store = context.store {
      switch await store.interrupted(after: number) {
      case .success(let found): return found
      case .failure(.closed): return nil
      case .failure(.damaged(let text)):
        context.report(.interruptedUnknown(.damaged(text)))
        return nil
      case .failure(let error):
        health.failed(error)
        try await context.dependencies.time.sleep(for: .seconds(1))
      }
    }
    return nil
  }
}
