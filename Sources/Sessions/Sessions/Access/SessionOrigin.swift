/// For whom and by whom a session was created, and of which view model: all that decides who may use it.
package struct SessionOrigin: Sendable, Equatable {
  /// The id of the identity that the session belongs to; nil if it belongs to nobody.
  package var identity: String?
  /// The id of the identity that created a session that belongs to nobody; nil if that is unknown.
  package var creator: String?
  /// The name of the view model.
  package var viewModel: String

  package init(identity: String? = nil, creator: String? = nil, viewModel: String) {
    (self.identity, self.creator, self.viewModel) = (identity, creator, viewModel)
  }
}

/// The answer to somebody who asks to use a session.
package enum Permission: Sendable, Equatable {
  case granted
  /// The session belongs to somebody else: to whoever asks, it does not exist.
  case unknown
  /// The use is denied, with a sentence for whoever asks.
  case denied(String)
}

/// A function that decides whether somebody may use a session, given its origin.
package typealias PermissionCheck = @Sendable (SessionOrigin) -> Permission
