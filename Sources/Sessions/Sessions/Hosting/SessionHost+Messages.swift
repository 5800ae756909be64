import Synchronization
package import UIFusionKit

/// Messages between sessions, and sessions that follow others.
extension SessionHost {
  /// Connects the sessions; messages and followers wait until this is called, and again from ``closeAll()`` on.
  package func connect(
    _ deliver: @escaping @Sendable (Envelope) async -> Delivery,
    follow:
      @escaping @Sendable (
        FollowWish, _ show: @escaping @Sendable (FollowedView) async -> Void
      ) async -> Void = { _, _ in }
  ) {
    connection.withLock { $0 = SessionConnection(deliver: deliver, follow: follow) }
  }

  var currentConnection: SessionConnection? { connection.withLock { $0 } }

  func deliver(_ envelope: Envelope) async -> Delivery {
    guard let connection = currentConnection else { return .failed }
    let outcome = await connection.deliver(envelope)
    // A receiver that stops with this process answers as if it had ended.
    return currentConnection == nil ? .failed : outcome
  }

  /// Follows a session once a host is connected; does not retain the host.
  static func follow(
    _ wish: FollowWish,
    over connection: @escaping @Sendable () -> SessionConnection?,
    _ time: any TimeSource,
    _ show: @escaping @Sendable (FollowedView) async -> Void
  ) async {
    while true {
      if let follow = connection()?.follow {
        return await follow(wish) { view in
          // A session that stops with this process shows itself as ended.
          if connection() != nil { await show(view) }
        }
      }
      guard (try? await time.sleep(for: .seconds(1))) != nil else { return }
    }
  }

  /// Reports a change of an alarm, or of a message.
  func changed(_ id: SessionID, _ change: AlarmChange) {
    switch change.kind {
    case .rang(let late): report(.rang(id, late: .milliseconds(late)))
    case .handedOver(_, let isRefused): report(.message(id, isRefused ? .refused : .delivered))
    case .set: if change.name.isMessage { report(.message(id, .sent)) }
    case .cancelled, .kept: break
    }
  }
}
