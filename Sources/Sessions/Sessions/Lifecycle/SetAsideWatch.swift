import UIFusionKit

/// Records the sessions at whose work the process ends, and keeps up with those that any node has set aside.
package final class SetAsideWatch: Sendable {
  /// The pause between two looks at which sessions are set aside.
  private static let pause = Duration.seconds(2)

  private let sessions: SetAsideSessions
  private let waker: Waker
  private let context: SessionContext

  init(_ sessions: SetAsideSessions, _ waker: Waker, _ context: SessionContext) {
    (self.sessions, self.waker, self.context) = (sessions, waker, context)
  }

  /// Records that the process ends, or has ended, at a session's work; `done` is called once that is stored.
  package func record(_ crash: SessionCrash, _ done: @escaping StoreCompletion) {
    guard let store = context.store else { return done(nil) }
    store.commit(.crash(crash), done)
  }

  /// Reports sessions that are newly set aside, and wakes those that no longer are, for as long as the task runs.
  package func run() async throws {
    guard let store = context.store else { return }
    while true {
      if case .success(let crashed) = await store.crashed() {
        for id in sessions.update(crashed) {
          // It may have ended.
          if case .woken = try await waker.wakeForNobody(id) { context.report(.resumed(id)) }
        }
      }
      try await context.dependencies.time.sleep(for: Self.pause)
    }
  }
}
