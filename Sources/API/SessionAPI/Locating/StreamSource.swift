package import FusionSessions
package import UIFusionKit

/// A session from the perspective of a stream: owned by this process, or shown here for another node.
package protocol StreamSource: AnyObject, Sendable {
  var id: SessionID { get }
  /// The id by which the stream's client knows the session.
  var shownID: String { get }
  var feed: SnapshotFeed { get }
  /// The session's origin; set before the first snapshot is shown.
  var origin: SessionOrigin { get }
  /// Throws if the State is not small and memory is full.
  func requireMemory(forBody size: Int) throws(MemoryFull)
  /// Keeps the session in use until ``endUse()``.
  func beginUse()
  func endUse()
  /// Whether the session's view model observes visitors.
  var isToldOfVisitors: Bool { get }
  /// Notes that a visitor follows the session, until ``leave(_:)``; visits are counted.
  func enter(_ visitor: Visitor)
  func leave(_ visitor: Visitor)
}

extension StreamSource {
  package var shownID: String { id.description }
  package var isToldOfVisitors: Bool { false }
  package func enter(_ visitor: Visitor) {}
  package func leave(_ visitor: Visitor) {}
}

extension Session: StreamSource {}
