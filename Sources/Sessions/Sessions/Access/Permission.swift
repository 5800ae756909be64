/// The answer to somebody who asks to use a session.
package enum Permission: Sendable, Equatable {
  case granted
  /// The session belongs to somebody else: to whoever asks, it does not exist.
  case unknown
  /// The use is denied, with a sentence for whoever asks.
  case denied(String)
}

/// A function that decides whether somebody may use a session, given its origin.
///
/// It may run a view model's code: it is not called under a lock.
package typealias PermissionCheck = @Sendable (SessionOrigin) -> Permission
