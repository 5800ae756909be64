package import FusionSessions

/// The state machine of a stream: decides which events to send, and in which form.
///
/// Only snapshots that must not be skipped are queued; the newest one is read from its session when the
/// client can receive it.
struct StreamState {
  /// A session in the stream.
  struct Source {
    var session: any StreamSource
    var following: SnapshotFeed.Following?
    /// The version that the client has; 0 for none.
    var sent = 0
    /// The last sent snapshot, if patches are made.
    var base: Snapshot?
    var hasSaidEnd = false
  }

  private(set) var sources: [Source]
  private(set) var backlog = Backlog()
  /// The events that precede all others.
  private var opening: [StreamEvent]
  /// The source to ask first; it rotates, so that a busy source leaves room for the others.
  private var nextSource = 0
  private let isOfSeveral: Bool
  private let isOfNewSession: Bool
  private let isPatching: Bool
  private var isOver = false
  private var isHeartbeatDue = false
  private var skipped = 0

  init(_ subscription: StreamSubscription) {
    sources = subscription.sessions.map { Source(session: $0) }
    opening = [.retry] + subscription.ended.map { .end($0.end, of: $0.id) }
    isOfSeveral = subscription.isOfSeveral
    isOfNewSession = subscription.isOfNewSession
    isPatching = subscription.isPatching
  }

  /// Begins to follow a source; the client's position counts only if it equals the session's version.
  mutating func begin(
    _ following: SnapshotFeed.Following,
    at index: Int,
    from position: StreamPosition
  ) {
    sources[index].following = following
    let session = sources[index].session
    if let version = session.feed.current.snapshot?.version,
      position.has(version, of: session.shownID)
    {
      sources[index].sent = version
    }
  }

  /// Queues a snapshot that must not be skipped and is about to be replaced.
  ///
  /// Returns false if the stream ends because its queue is full.
  mutating func addToBacklog(_ snapshot: Snapshot, of feed: SnapshotFeed) -> Bool {
    guard !isOver else { return true }
    // A stream may show one session twice: directly and by a share.
    for index in sources.indices where sources[index].session.feed === feed {
      guard snapshot.version > sources[index].sent else { continue }
      guard backlog.add(snapshot, from: index) else {
        giveUp()
        return false
      }
    }
    return true
  }

  /// Ends the sources of shares for which the function returns an end; returns the previous sources, to be
  /// released.
  mutating func endShares(_ end: (StoredShare) -> SessionEnd?) -> [Source] {
    var ended: [Source] = []
    for index in sources.indices {
      guard let source = sources[index].session as? SharedSource, let end = end(source.share) else {
        continue
      }
      // The next source of the same feed takes over the first one's following, which reports Pulses to the
      // stream.
      let next = sources[(index + 1)...].firstIndex { $0.session.feed === source.feed }
      if let next {
        let following = sources[index].following
        sources[index].following = sources[next].following
        sources[next].following = following
      }
      ended.append(sources[index])
      sources[index].session = EndedSource(source, end)
      sources[index].following = nil
      while backlog.next(from: index) != nil {}
    }
    return ended
  }

  /// Ends the stream if one of its sessions has a State that is not small, because memory is full; returns
  /// whether it ends now.
  mutating func giveUpIfLarge() -> Bool {
    let isLarge = sources.contains {
      ($0.session.feed.current.snapshot?.size ?? 0) > MemoryGauge.smallSize
    }
    guard isLarge, !isOver else { return false }
    giveUp()
    return true
  }

  /// Ends the stream because its client is too slow or memory is full; the client resumes by its last id.
  private mutating func giveUp() {
    isOver = true
    backlog = Backlog()
    for index in sources.indices { sources[index].base = nil }
  }

  /// Returns the number of snapshots skipped since the last call.
  mutating func takeSkipped() -> Int {
    defer { skipped = 0 }
    return skipped
  }

  /// Requests a heartbeat at the next step that has nothing else to send.
  mutating func demandHeartbeat() {
    isHeartbeatDue = true
  }

  /// Ends the stream at once; returns the sources, to be released.
  mutating func close() -> [Source] {
    giveUp()
    defer { sources = [] }
    return sources
  }

  /// Ends the stream because its client's login has ended; returns the sources, to be released.
  mutating func signOut() -> [Source] {
    guard !isOver else { return [] }
    opening.append(.signedOut)
    return close()
  }

  enum Step {
    case event(StreamEvent)
    case idle
    case finished
  }

  /// Returns the next thing to send.
  mutating func step() -> Step {
    guard let event = nextEvent() else { return isOver ? .finished : .idle }
    isHeartbeatDue = false
    return .event(event)
  }

  private mutating func nextEvent() -> StreamEvent? {
    if let event = opening.first {
      // An idle stream keeps no buffer.
      if opening.count == 1 { opening = [] } else { opening.removeFirst() }
      return event
    }
    if isOver { return nil }
    for _ in sources.indices {
      let index = nextSource
      nextSource = nextSource + 1 < sources.count ? nextSource + 1 : 0
      if let event = nextEvent(of: index) { return event }
    }
    return isHeartbeatDue ? .heartbeat : nil
  }

  private mutating func nextEvent(of index: Int) -> StreamEvent? {
    guard !sources[index].hasSaidEnd else { return nil }
    if let snapshot = backlog.next(from: index) { return send(snapshot, of: index) }
    let view = sources[index].session.feed.current
    if let snapshot = view.snapshot, snapshot.version > sources[index].sent {
      return send(snapshot, of: index)
    }
    // The client reconnects and finds the session on another node.
    if view.hasMoved, view.end == nil { giveUp() }
    return view.end.map { say($0, of: index) }
  }

  private mutating func say(_ end: SessionEnd, of index: Int) -> StreamEvent {
    sources[index].hasSaidEnd = true
    sources[index].base = nil
    isOver = sources.allSatisfy(\.hasSaidEnd)
    return .end(end, of: isOfSeveral ? sources[index].session.shownID : nil)
  }

  private mutating func send(_ snapshot: Snapshot, of index: Int) -> StreamEvent {
    let base = sources[index].base
    let isFirst = sources[index].sent == 0
    if !isFirst { skipped += snapshot.version - sources[index].sent - 1 }
    sources[index].sent = snapshot.version
    if isPatching { sources[index].base = snapshot }
    guard isOfSeveral || isOfNewSession && isFirst else {
      return .state(snapshot, since: base, label: nil)
    }
    let versions = sources.lazy.filter { $0.sent > 0 && !$0.hasSaidEnd }
      .map { (id: $0.session.shownID, version: $0.sent) }
    let label = StreamEvent.Label(
      session: sources[index].session.shownID,
      position: isOfSeveral ? StreamPosition.text(versions) : nil
    )
    return .state(snapshot, since: base, label: label)
  }
}

/// The queued snapshots of one stream, to be sent before each session's newest: those in which a Pulse
/// changed.
package struct Backlog: Sendable {
  package struct Frame: Sendable {
    /// The index of the session in its stream.
    let source: Int
    let snapshot: Snapshot
  }

  /// The maximum number of waiting frames: 64 including the newest.
  static var frameLimit: Int { 63 }
  /// The maximum number of waiting bytes of State.
  static var byteLimit: Int { 1 << 20 }

  package private(set) var frames: [Frame] = []

  package init() {}

  /// Adds a snapshot; returns false if the limit is exceeded.
  package mutating func add(_ snapshot: Snapshot, from source: Int) -> Bool {
    frames.append(Frame(source: source, snapshot: snapshot))
    return frames.count <= Self.frameLimit
      && frames.reduce(0) { $0 + $1.snapshot.shownSize } <= Self.byteLimit
  }

  /// Removes and returns the oldest snapshot of one session.
  package mutating func next(from source: Int) -> Snapshot? {
    guard let place = frames.firstIndex(where: { $0.source == source }) else { return nil }
    let frame = frames.remove(at: place)
    // An idle stream keeps no buffer.
    if frames.isEmpty { frames = [] }
    return frame.snapshot
  }
}
