import Synchronization
import UIFusionKit

/// The traces of the sessions that clients watch.
final class SessionTraces: Sendable {
  private let traces = Mutex<[SessionID: SessionTrace]>([:])
  private let clock: WallClock

  init(_ clock: WallClock) { self.clock = clock }

  func isWatched(_ id: SessionID) -> Bool { traces.withLock { $0[id] != nil } }

  /// Returns the trace of a session, a new one if there is none; it is kept until ``forget(_:of:)``.
  func trace(of id: SessionID) -> SessionTrace {
    traces.withLock { traces in
      let trace = traces[id] ?? SessionTrace(began: clock.now)
      traces[id] = trace
      return trace
    }
  }

  /// Forgets a trace unless it has followers; returns whether it did.
  func forget(_ trace: SessionTrace, of id: SessionID) -> Bool {
    traces.withLock { traces in
      guard traces[id] === trace, trace.followers == 0 else { return false }
      traces[id] = nil
      return true
    }
  }

  func add(_ notes: [TurnNote], _ version: Int, of id: SessionID) {
    traces.withLock { $0[id] }?
      .add(notes.map { SessionTraceEvent.Kind.note($0, version: version) }, clock.now)
  }

  func add(_ kind: SessionTraceEvent.Kind, of id: SessionID) {
    traces.withLock { $0[id] }?.add([kind], clock.now)
  }
}
