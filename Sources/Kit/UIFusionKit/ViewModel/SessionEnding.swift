/// A view model that is told when its session is over.
///
/// ```swift
/// extension Seat: SessionEnding {
///   func sessionEnded() { topics.publish(state.name, to: Self.left) }
/// }
/// ```
public protocol SessionEnding: ViewModel {
  /// Cleans up after a session that was deleted or has expired, or a ``Store`` that was closed.
  ///
  /// The engine calls this at most once, after the end is stored. State is the last one, all effects are cancelled, and
  /// nothing that the function changes is seen. A session that only goes to sleep has not ended. Nodes that share a
  /// database expire sleeping sessions without telling.
  func sessionEnded()
}
