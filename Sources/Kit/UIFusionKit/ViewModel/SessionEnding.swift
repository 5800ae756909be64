/// A view model that is told when its session ends.
///
/// ```swift
/// extension Seat: SessionEnding {
///   func sessionEnded() { topics.publish(state.name, to: Self.left) }
/// }
/// ```
public protocol SessionEnding: ViewModel {
  /// Cleans up after a session that was deleted or has expired, or a ``Store`` that was closed.
  ///
  /// The engine calls this at most once, after the end is stored. State is the last one, all effects are
  /// cancelled, and changes that the function makes to State are not shown. A session that falls asleep has
  /// not ended. Nodes that share a database expire sleeping sessions without this call.
  func sessionEnded()
}
