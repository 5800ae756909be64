import FusionSessions

/// A session in a stream for the holder of a share.
final class SharedSource: StreamSource {
  let share: StoredShare
  private let source: any StreamSource

  init(_ source: any StreamSource, _ share: StoredShare) {
    self.source = source
    self.share = share
  }

  var id: SessionID { source.id }
  var shownID: String { share.id.description }
  var feed: SnapshotFeed { source.feed }
  var origin: SessionOrigin { source.origin }

  func requireMemory(forBody size: Int) throws(MemoryFull) {
    try source.requireMemory(forBody: size)
  }

  func beginUse() { source.beginUse() }
  func endUse() { source.endUse() }
}

/// The replacement for an ended share's session in a continuing stream; does not use the session.
final class EndedSource: StreamSource {
  let id: SessionID
  let shownID: String
  let feed = SnapshotFeed()
  let origin: SessionOrigin

  init(_ source: some StreamSource, _ end: SessionEnd) {
    (id, shownID, origin) = (source.id, source.shownID, source.origin)
    feed.end(end)
  }

  func requireMemory(forBody size: Int) {}
  func beginUse() {}
  func endUse() {}
}
