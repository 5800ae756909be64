import UIFusionKit

extension PastSession {
  /// Returns the append that restores this past as a new version; nil if it is the newest version.
  ///
  /// Work that was running then is not begun again; visitors who were there then are reported as gone. The trace names
  /// who did it by `name`, a literal of JSON.
  package func recovery(at time: WallTime, by name: [UInt8]? = nil) -> StoreChange.Append? {
    let version = session.entries.last?.version ?? session.head.version
    guard head.version < version else { return nil }
    var entry = LogEntry(
      sequence: session.sequence + 1,
      version: version + 1,
      time: time,
      outcome: .state(head.state)
    )
    entry.trace =
      FormatChange.note(from: session.head.format, to: head.format)
      + Array("{\"recovered\":{\"version\":\(head.version)".utf8)
      + (name.map { Array(",\"by\":".utf8) + $0 } ?? []) + Array("}}\n".utf8)
    let marks = Interrupted.marks(in: head.running)
    entry.running = .all(marks)
    var newest = head
    (newest.sequence, newest.version, newest.running) = (entry.sequence, entry.version, marks)
    return StoreChange.Append(session.id, after: session.sequence, [entry], head: newest)
  }
}
