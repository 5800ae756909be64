/// A view model that is told who follows its session.
///
/// ```swift
/// extension Board: PresenceObserving {
///   static func input(for change: PresenceChange) -> Input? { .presence(change) }
/// }
/// ```
///
/// In `perform`, ``PresenceChange/update(_:)`` keeps a list in State.
public protocol PresenceObserving: ViewModel {
  /// Returns the Input by which a session is told of a change; nil for none.
  ///
  /// The Input is a turn as any other, without a sender. A visitor whose streams break off has five seconds to come
  /// back unnoticed. After a restart, those who come are told at once, and after five seconds that everybody else has
  /// left. A ``Store`` has no visitors.
  static func input(for change: PresenceChange) -> Input?
}
