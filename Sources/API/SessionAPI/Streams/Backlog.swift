package import FusionSessions

/// The snapshots that one stream still has to send before each session's newest: those in which a Pulse changed.
package struct Backlog {
  package struct Frame {
    /// The number of the session in its stream.
    let source: Int
    let snapshot: Snapshot
  }

  /// The largest number of waiting frames: 64 with the newest.
  static var frameLimit: Int { 63 }
  /// The largest number of waiting bytes of State.
  static var byteLimit: Int { 1 << 20 }

  package private(set) var frames: [Frame] = []

  package init() {}

  /// Adds a snapshot; returns false where more waits than may.
  package mutating func add(_ snapshot: Snapshot, from source: Int) -> Bool {
    frames.append(Frame(source: source, snapshot: snapshot))
    return frames.count <= Self.frameLimit
      && frames.reduce(0) { $0 + $1.snapshot.state.count } <= Self.byteLimit
  }

  /// Removes and returns the oldest snapshot of one session.
  package mutating func next(from source: Int) -> Snapshot? {
    guard let place = frames.firstIndex(where: { $0.source == source }) else { return nil }
    let frame = frames.remove(at: place)
    // An idle stream holds no buffer.
    if frames.isEmpty { frames = [] }
    return frame.snapshot
  }
}
