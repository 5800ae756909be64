import FusionSessions

/// What one stream has yet to send beside each session's newest snapshot: those before it in which a Pulse
/// changed.
struct Backlog {
  struct Frame {
    /// The number of the session in its stream.
    let source: Int
    let snapshot: Snapshot
  }

  /// How many frames may wait: 64, the newest included.
  static var frameLimit: Int { 63 }
  /// How many bytes of State may wait.
  static var byteLimit: Int { 1 << 20 }

  private(set) var frames: [Frame] = []

  /// False where more waits than may.
  mutating func add(_ snapshot: Snapshot, from source: Int) -> Bool {
    frames.append(Frame(source: source, snapshot: snapshot))
    return frames.count <= Self.frameLimit
      && frames.reduce(0) { $0 + $1.snapshot.state.count } <= Self.byteLimit
  }

  /// The oldest of one session.
  mutating func next(from source: Int) -> Snapshot? {
    guard let place = frames.firstIndex(where: { $0.source == source }) else { return nil }
    let frame = frames.remove(at: place)
    // An idle stream shall hold no buffer.
    if frames.isEmpty { frames = [] }
    return frame.snapshot
  }
}
