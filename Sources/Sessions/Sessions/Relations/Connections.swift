import Synchronization
package import UIFusionKit

/// The connection of a host's sessions to others: messages and followers wait until there is one, and again after its
/// end.
package final class Connections: Sendable {
  private let current = Mutex<SessionConnection?>(nil)
  private let time: any TimeSource

  init(_ time: any TimeSource) {
    self.time = time
  }

  /// Connects the sessions; without a function that follows, they go on with the present one.
  package func connect(
    _ deliver: @escaping @Sendable (Envelope) async -> Delivery,
    follow: (
      @Sendable (
        FollowWish, _ show: @escaping @Sendable (FollowedView) async -> Void
      ) async -> Void
    )? = nil
  ) {
    let none: SessionConnection.Follow = { _, _ in }
    current.withLock {
      $0 = SessionConnection(deliver: deliver, follow: follow ?? $0?.follow ?? none)
    }
  }

  /// Ends the connection, at the end of the service.
  func end() { current.withLock { $0 = nil } }

  private var connection: SessionConnection? { current.withLock { $0 } }

  /// The functions that sessions use: they reach others over the connection of the moment, and retain none.
  var functions: SessionConnection {
    SessionConnection(
      deliver: { [weak self] in await self?.deliver($0) ?? .failed },
      follow: { [weak self, time] wish, show in
        await Self.follow(wish, over: { self?.connection }, time, show)
      }
    )
  }

  private func deliver(_ envelope: Envelope) async -> Delivery {
    guard let connection else { return .failed }
    let outcome = await connection.deliver(envelope)
    // A receiver that stops with this process answers as if it had ended.
    return self.connection == nil ? .failed : outcome
  }

  /// Follows a session once there is a connection.
  private static func follow(
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
}
