import FusionSessions

/// What a stream shows: a session of this process's, or one that it sees through a ``SessionFeedProxy``.
protocol StreamSource: AnyObject, Sendable {
  var id: SessionID { get }
  var feed: SnapshotFeed { get }
  /// Refuses where its State is not small and memory is full.
  func requireMemory(forBody size: Int) throws(MemoryFull)
  /// A stream uses it until ``endUse()``.
  func beginUse()
  func endUse()
}

extension Session: StreamSource {}
