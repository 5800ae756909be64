import FusionSessionAPI
import FusionSessions
import UIFusionKit

/// The sessions that a feed shows, and the frames that are to be sent next.
///
/// A session has its newest snapshot to send, and before that the snapshots in which a Pulse changed. So what waits for
/// a slow reader is bounded.
struct FeedSources {
  private struct Source {
    /// Nil until the session is found.
    var session: Session?
    var following: SnapshotFeed.Following?
    var sent = 0
    var backlog = Backlog()
    var isDue = false
    /// Whether the reader is still to be asked for the visitors.
    var asksForVisitors = false
    /// The visitors who follow the session by the reader.
    var visitors: Set<Visitor> = []
  }

  /// The number of bytes that may wait because of Pulses, of all sessions together.
  private static let backlogLimit = 16 << 20
  /// The size from which on a chunk takes no further frame.
  private static let chunkSize = 64 << 10

  private var sources: [Int: Source] = [:]
  /// The sessions that may have something to send, in order.
  private var due: ArraySlice<Int> = []
  /// The last frames of sessions that are not shown any more.
  private var last: [FeedFrame] = []
  private var backlogBytes = 0
  /// Whether the reader is a living node, so that its visitors are present.
  private var isReaderThere = true

  /// The sessions that were found, in the order of their numbers.
  var sessions: [(number: Int, session: Session)] {
    sources.compactMap { number, source in source.session.map { (number, $0) } }
      .sorted { $0.number < $1.number }
  }

  /// Notes a session that is about to be looked for; returns false if its number is taken.
  mutating func expect(_ number: Int) -> Bool {
    guard sources[number] == nil else { return false }
    sources[number] = Source()
    return true
  }

  /// Shows a session, unless its reader has dropped the session; `wake` is called when there is something to send.
  mutating func begin(
    _ number: Int,
    _ session: Session,
    _ follower: any Follower,
    _ wake: @escaping @Sendable () -> Void
  ) {
    guard sources[number] != nil else { return }
    session.beginUse()
    sources[number]?.session = session
    sources[number]?.following = session.feed.follow(follower, wake)
    mark(number)
  }

  /// Stops showing a session, with a last frame.
  mutating func finish(_ frame: FeedFrame) {
    if remove(frame.number) { last.append(frame) }
  }

  mutating func removeAll() {
    for number in sources.keys { remove(number) }
    last = []
  }

  @discardableResult
  mutating func remove(_ number: Int) -> Bool {
    guard var source = sources.removeValue(forKey: number) else { return false }
    while let snapshot = source.backlog.next(from: 0) { backlogBytes -= snapshot.shownSize }
    if let session = source.session {
      if isReaderThere { for visitor in source.visitors.inOrder { session.leave(visitor) } }
      if let following = source.following { session.feed.unfollow(following) }
      session.endUse()
    }
    return true
  }

  /// Notes that a session may have something to send.
  mutating func mark(_ number: Int) {
    guard sources[number]?.isDue == false else { return }
    sources[number]?.isDue = true
    due.append(number)
  }

  /// Keeps a snapshot that must not be skipped; gives up the session if too much waits.
  mutating func keep(_ snapshot: Snapshot, of number: Int) {
    guard let sent = sources[number]?.sent, sent < snapshot.version else { return }
    backlogBytes += snapshot.shownSize
    let fits = sources[number]?.backlog.add(snapshot, from: 0) == true
    if !fits || backlogBytes > Self.backlogLimit { finish(.lost(number)) }
  }

  /// Returns the bytes to send now; empty if nothing waits.
  mutating func nextBytes() -> [UInt8] {
    var bytes: [UInt8] = []
    for frame in last { frame.append(to: &bytes) }
    last = []
    while bytes.count < Self.chunkSize, let number = due.popFirst() {
      sources[number]?.isDue = false
      guard let frame = nextFrame(of: number) else { continue }
      frame.append(to: &bytes)
      if frame.isLast { remove(number) } else { mark(number) }
    }
    return bytes
  }

  private mutating func nextFrame(of number: Int) -> FeedFrame? {
    guard let session = sources[number]?.session else { return nil }
    if sources[number]?.asksForVisitors == true {
      sources[number]?.asksForVisitors = false
      return .visitors(number)
    }
    if let snapshot = sources[number]?.backlog.next(from: 0) {
      backlogBytes -= snapshot.shownSize
      return send(snapshot, as: number)
    }
    let view = session.feed.current
    if let snapshot = view.snapshot, let sent = sources[number]?.sent, snapshot.version > sent {
      return send(snapshot, as: number)
    }
    return view.end.map { .end(number, $0) } ?? (view.hasMoved ? .lost(number) : nil)
  }

  private mutating func send(_ snapshot: Snapshot, as number: Int) -> FeedFrame {
    sources[number]?.sent = snapshot.version
    return .state(number, version: snapshot.version, pulses: snapshot.pulses, snapshot.state)
  }
}

/// The visitors of a feed's sessions.
extension FeedSources {
  /// Asks the reader who follows a session, before the session is shown.
  mutating func askForVisitors(_ number: Int) {
    sources[number]?.asksForVisitors = true
  }

  mutating func enter(_ visitor: Visitor, _ number: Int) {
    guard let session = sources[number]?.session else { return }
    let isNew = sources[number]?.visitors.insert(visitor).inserted == true
    if isNew, isReaderThere { session.enter(visitor) }
  }

  mutating func leave(_ visitor: Visitor, _ number: Int) {
    guard sources[number]?.visitors.remove(visitor) != nil else { return }
    if isReaderThere { sources[number]?.session?.leave(visitor) }
  }

  /// Notes whether the reader is a living node: while it is not, its visitors are away.
  mutating func setReaderThere(_ isThere: Bool) {
    guard isThere != isReaderThere else { return }
    isReaderThere = isThere
    for (_, source) in sources.sorted(by: { $0.key < $1.key }) {
      for visitor in source.visitors.inOrder {
        if isThere { source.session?.enter(visitor) } else { source.session?.leave(visitor) }
      }
    }
  }
}
