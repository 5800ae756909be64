/// A view model that is told when its session is over.
///
/// ```swift
/// extension Seat: SessionEnding {
///   func sessionEnded() { try? topics.publish(.left(state.name), to: room) }
/// }
/// ```
public protocol SessionEnding: ViewModel {
  /// Cleans up after a session that was deleted or has expired, or a ``Store`` that was closed.
  ///
  /// The engine calls this at most once, after the end is stored. State is the last one, no effect runs, and
  /// nothing that the function changes is seen. A session that only goes to sleep has not ended.
  func sessionEnded()
}
