package import FusionSessions

/// A session as a stream sees it: at work in this process, or shown here for another node.
package protocol StreamSource: AnyObject, Sendable {
  var id: SessionID { get }
  var feed: SnapshotFeed { get }
  /// Throws where the State is not small and memory is full.
  func requireMemory(forBody size: Int) throws(MemoryFull)
  /// Keeps the session in use until ``endUse()``.
  func beginUse()
  func endUse()
}

extension Session: StreamSource {}
