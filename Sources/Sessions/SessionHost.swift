import Synchronization
package import UIFusionKit

/// Keeps the sessions: opens them, finds them by id, and ends them.
package final class SessionHost: Sendable {
  package struct Limits: Sendable {
    package var sessions = 100_000
    package var queuedInputs = 256
    /// How long a session stays without anybody there.
    package var idleTime = Duration.seconds(1800)
    /// How long the id of a session that ended is remembered.
    package var memoryOfEnded = Duration.seconds(600)

    package init() {}
  }

  /// Something that happened to a session, for the log.
  package enum Event: Sendable {
    case created(SessionID, viewModel: String)
    case ended(SessionID, SessionEnd)
    /// Its State could not be written as JSON.
    case unwritable(SessionID, any Error)
  }

  /// What is left of a session.
  private struct Tombstone {
    let end: SessionEnd
    let time: Duration
  }

  private struct Table {
    var sessions: [SessionID: Session] = [:]
    /// Sessions that are being opened, and count already.
    var opening = 0
    var ended: [SessionID: Tombstone] = [:]
  }

  package let viewModels: [HostedViewModel]
  package let limits: Limits
  package let dependencies: Dependencies
  /// Of requests that are held.
  package let timeouts: Timeouts
  private let byName: [String: HostedViewModel]
  private let makeID: @Sendable () -> SessionID
  private let report: @Sendable (Event) -> Void
  private let table = Mutex(Table())

  package init(
    _ viewModels: [HostedViewModel],
    limits: Limits = Limits(),
    dependencies: Dependencies = Dependencies(),
    makeID: @escaping @Sendable () -> SessionID = {
      var generator = SystemRandomNumberGenerator()
      return SessionID.random(using: &generator)
    },
    report: @escaping @Sendable (Event) -> Void = { _ in }
  ) {
    self.viewModels = viewModels
    self.limits = limits
    self.dependencies = dependencies
    timeouts = Timeouts(dependencies)
    self.makeID = makeID
    self.report = report
    byName = Dictionary(viewModels.map { ($0.name, $0) }) { first, _ in first }
  }

  package func viewModel(named name: String) -> HostedViewModel? {
    byName[name]
  }

  /// How many sessions there are.
  package var count: Int { table.withLock { $0.sessions.count } }

  /// How many Inputs wait to be taken up, in all sessions together.
  package var waitingInputs: Int {
    table.withLock { $0.sessions }.values.reduce(0) { $0 + $1.waitingInputs }
  }

  /// Opens a session; nil where there are as many as may be.
  ///
  /// - Throws: what is wrong with the parameters.
  package func create(_ viewModel: HostedViewModel, parameters: (any Parameters)? = nil) throws
    -> Session?
  {
    let isFull = table.withLock { table in
      guard table.sessions.count + table.opening < limits.sessions else { return true }
      table.opening += 1
      return false
    }
    guard !isFull else { return nil }
    var session: Session?
    defer {
      table.withLock { table in
        table.opening -= 1
        if let session { table.sessions[session.id] = session }
      }
      if let session { report(.created(session.id, viewModel: viewModel.name)) }
    }
    let id = makeID()
    session = try Session(
      id: id,
      viewModel: viewModel,
      parameters: parameters,
      dependencies: dependencies,
      mailboxLimit: limits.queuedInputs,
      failed: { [report] in report(.unwritable(id, $0)) }
    )
    return session
  }

  /// What became of an id.
  package enum Lookup: Sendable {
    case live(Session)
    case ended(SessionEnd)
    case unknown
  }

  /// Finds a session, and begins its idle time anew.
  package func find(_ id: SessionID) -> Lookup {
    let lookup: Lookup = table.withLock { table in
      guard let session = table.sessions[id] else {
        return table.ended[id].map { .ended($0.end) } ?? .unknown
      }
      // Under the lock, or it could expire between being found and being used.
      session.touch()
      return .live(session)
    }
    return lookup
  }

  /// Ends a session: what it was doing is cancelled, and its streams are told.
  package func delete(_ id: SessionID) -> Lookup {
    let lookup = find(id)
    if case .live(let session) = lookup { end([session], .deleted) }
    return lookup
  }

  /// Ends the sessions that have been idle for too long, and forgets ids that ended long ago.
  package func expire() {
    let now = dependencies.time.now
    let sessions = table.withLock { table in
      table.ended = table.ended.filter { $0.value.time > now - limits.memoryOfEnded }
      return table.sessions
    }
    let deadline = now - limits.idleTime
    end(sessions.values.filter { $0.isIdle(since: deadline) }, .expired) {
      // Somebody may have come since.
      $0.isIdle(since: deadline)
    }
  }

  /// Expires sessions for as long as the task runs.
  package func keepExpiring() async throws {
    let pause = min(max(limits.idleTime / 20, .milliseconds(50)), .seconds(30))
    while true {
      try await dependencies.time.sleep(for: pause)
      expire()
    }
  }

  /// Closes every engine, for the end of the service: nobody is told, nothing is forgotten.
  package func closeAll() {
    let sessions = table.withLock { table in
      defer { table.sessions = [:] }
      return table.sessions
    }
    for session in sessions.values { session.stop() }
  }

  private func end(
    _ sessions: [Session],
    _ end: SessionEnd,
    where condition: (Session) -> Bool = { _ in true }
  ) {
    guard !sessions.isEmpty else { return }
    let now = dependencies.time.now
    let removed = table.withLock { table in
      sessions.filter { session in
        guard condition(session), table.sessions.removeValue(forKey: session.id) != nil else {
          return false
        }
        table.ended[session.id] = Tombstone(end: end, time: now)
        return true
      }
    }
    for session in removed {
      session.close(end)
      report(.ended(session.id, end))
    }
  }
}
