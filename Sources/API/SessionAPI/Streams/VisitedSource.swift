import FusionSessions
import UIFusionKit

/// A session whose view model is told about a visitor of the stream.
final class VisitedSource: StreamSource {
  private let source: any StreamSource
  private let visitor: Visitor

  init(_ source: any StreamSource, _ visitor: Visitor) {
    (self.source, self.visitor) = (source, visitor)
  }

  var id: SessionID { source.id }
  var feed: SnapshotFeed { source.feed }
  var origin: SessionOrigin { source.origin }

  func requireMemory(forBody size: Int) throws(MemoryFull) {
    try source.requireMemory(forBody: size)
  }

  func beginUse() {
    source.beginUse()
    source.enter(visitor)
  }

  func endUse() {
    source.leave(visitor)
    source.endUse()
  }
}
