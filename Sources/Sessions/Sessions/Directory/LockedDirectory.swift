import Synchronization
import UIFusionKit

/// The directory of a host's sessions under its lock.
///
/// Gives transitions what the directory itself does not ask for: the time, and whether this process may answer for its
/// sessions. Calls back the requests that have waited, outside the lock.
package final class LockedDirectory: Sendable {
  private let directory: Mutex<Directory>
  private let hasStore: Bool
  private let ownership: any SessionOwnership
  private let dependencies: Dependencies

  init(
    _ directory: consuming Directory,
    hasStore: Bool,
    _ ownership: any SessionOwnership,
    _ dependencies: Dependencies
  ) {
    self.directory = Mutex(directory)
    (self.hasStore, self.ownership, self.dependencies) = (hasStore, ownership, dependencies)
  }

  func withLock<Outcome>(_ body: (inout Directory) -> sending Outcome) -> sending Outcome {
    directory.withLock { body(&$0) }
  }

  /// Changes the directory, at this moment.
  func change<Outcome>(
    _ body: (inout Directory, _ now: Duration) -> sending Outcome
  ) -> sending Outcome {
    let now = dependencies.time.now
    return directory.withLock { body(&$0, now) }
  }

  // MARK: Finding

  /// Finds a session, and begins its idle time anew.
  package func find(_ id: SessionID) -> SessionLookup {
    let mayAnswer = ownership.isHeld
    return change { $0.find(id, mayAnswer: mayAnswer, now: $1) }
  }

  /// Finds a session that is awake, and begins its idle time anew; one that has to be woken first is asleep.
  package func findAwake(_ id: SessionID) -> SessionLookup {
    guard hasStore else { return find(id) }
    let mayAnswer = ownership.isHeld
    return change { $0.findAwake(id, mayAnswer: mayAnswer, now: $1) }
  }

  /// Whether a session has to be woken before it can be used.
  ///
  /// A session that is awake stays awake, and its idle time restarts.
  package func isAsleep(_ id: SessionID) -> Bool {
    guard hasStore else { return false }
    let mayAnswer = ownership.isHeld
    return change { $0.isAsleep(id, mayAnswer: mayAnswer, now: $1) }
  }

  /// Returns a session that is in memory; unlike ``find(_:)`` it leaves the session's idle time as it is.
  package func peek(_ id: SessionID) -> SessionLookup {
    if let session = resident(id) { return .resident(session) }
    return find(id)
  }

  /// The session, where it is in memory.
  func resident(_ id: SessionID) -> Session? { directory.withLock { $0.resident(id) } }

  /// The origin of a session that sleeps here or is in memory; nil if it is not known.
  package func origin(of id: SessionID) -> SessionOrigin? {
    directory.withLock { $0.origin(of: id) }
  }

  /// Forgets which node has a session, as that node denies it or is out of reach: the next request asks the store.
  package func forgetLocation(of id: SessionID) {
    directory.withLock { $0.forgetLocation(of: id) }
  }

  // MARK: Counting

  /// The number of sessions, asleep or awake.
  package var count: Int { directory.withLock { $0.count } }

  /// The number of sessions in memory.
  package var awake: Int { directory.withLock { $0.residentCount } }

  /// The number of Inputs that wait to be processed, in all sessions together.
  package var waitingInputs: Int {
    directory.withLock { $0.residents }.reduce(0) { $0 + $1.waitingInputs }
  }

  /// The number of sessions here, asleep or awake, that have alarms or messages.
  package var sessionsWithAlarms: Int { directory.withLock { $0.alarmed } }

  // MARK: Calling back

  /// Ends the work on an id: the waiters go on in the pool, as that may take long.
  func finish(_ id: SessionID, _ failure: WakeFailure?) {
    if let failure { return fail(id, failure) }
    guard directory.withLock({ $0.finish(id) }) else { return }
    Task.detached(executorPreference: dependencies.executor) { [self] in
      while let waiters = directory.withLock({ $0.takeWaiters(of: id) }) {
        for waiter in waiters { waiter.done(nil) }
      }
    }
  }

  private func fail(_ id: SessionID, _ failure: WakeFailure) {
    let waiters = directory.withLock { $0.fail(id) }
    guard !waiters.isEmpty else { return }
    Task.detached(executorPreference: dependencies.executor) {
      for waiter in waiters { waiter.done(waiter.isDeleting ? nil : failure) }
    }
  }

  // MARK: Closing

  /// Closes sessions that are over; reports that to the log, unless the time of their end is unknown.
  func close(
    _ ids: [SessionID],
    _ end: SessionEnd,
    by sender: String? = nil,
    isReported: Bool = true,
    _ context: SessionContext
  ) {
    // Releases the kept object outside the lock: its deinit may run user code.
    let (sessions, _) = change { $0.end(ids, end, now: $1) }
    for session in sessions { session.close(end) }
    if let traces = context.traces { for id in ids { traces.add(.over(end), of: id) } }
    if isReported { for id in ids { context.report(.ended(id, end, by: sender)) } }
  }
}
