/// For whom and by whom a session was created, and of which view model: all that decides who may use it.
package struct SessionOrigin: Sendable, Equatable {
  /// The creator of the program's own sessions: the id of no identity.
  package static let program = ""

  /// The id of the identity that the session belongs to; nil if it belongs to nobody.
  package var identity: String?
  /// The id of the identity that created a session that belongs to nobody, or ``program``; nil if it was created
  /// anonymously, or by a build that did not keep this.
  package var creator: String?
  /// The name of the view model.
  package var viewModel: String

  package init(identity: String? = nil, creator: String? = nil, viewModel: String) {
    (self.identity, self.creator, self.viewModel) = (identity, creator, viewModel)
  }
}
