import HTTPMessages
import Sessions
import Synchronization

/// One client's stream of a session's State.
///
/// Nothing is queued for it: when its connection can take more, it sends the newest snapshot, if that
/// is newer than the one before. So a reader costs the same however slow it is.
final class EventStream: BodyStream {
  fileprivate struct State {
    var wake: (@Sendable () -> Void)?
    var following: Feed.Following?
    var isGreeted = false
    /// The last event's id, as the client says; nil where it says nothing.
    let known: String?
    /// The version that the client has; nil where none is known.
    var version: Int?
    var hasSaidEnd = false
    var isBeatDue = false
    var lastSent: Int
  }

  private let session: Session
  private let streams: Streams
  private let state: Mutex<State>

  /// Made only by ``Streams``, which has counted it by then.
  init(_ session: Session, known: String?, streams: Streams) {
    self.session = session
    self.streams = streams
    state = Mutex(State(known: known, lastSent: streams.tick))
  }

  deinit {
    streams.release()
  }

  func opened(wake: @escaping @Sendable () -> Void) {
    session.hold()
    streams.add(self)
    let following = session.feed.follow(wake)
    state.withLock {
      $0.wake = wake
      $0.following = following
    }
  }

  func closed() {
    let following = state.withLock { state in
      state.wake = nil
      return state.following.take()
    }
    if let following { session.feed.unfollow(following) }
    session.release()
    streams.remove(self)
  }

  func next() -> BodyStep {
    let sighting = session.feed.current
    return state.withLock { state in
      let step = state.step(to: sighting)
      if case .bytes = step {
        state.lastSent = streams.tick
        state.isBeatDue = false
      }
      return step
    }
  }

  /// Sends a heartbeat if nothing was sent since that tick.
  func beat(ifSilentSince tick: Int) {
    let wake = state.withLock { state in
      guard state.lastSent <= tick else { return nil as (@Sendable () -> Void)? }
      state.isBeatDue = true
      return state.wake
    }
    wake?()
  }
}

extension EventStream.State {
  fileprivate mutating func step(to sighting: Sighting) -> BodyStep {
    if hasSaidEnd { return .finished }
    var bytes: [UInt8] = []
    if !isGreeted {
      isGreeted = true
      bytes = ServerSentEvent.retry(milliseconds: 1_000)
      // What the client says it has counts only where it is what the session has.
      if let current = sighting.snapshot?.version, known == String(current) { version = current }
    }
    if let snapshot = sighting.snapshot, version.map({ $0 < snapshot.version }) ?? true {
      version = snapshot.version
      if bytes.isEmpty { return .bytes(snapshot.event) }
      bytes += snapshot.event
    }
    if !bytes.isEmpty { return .bytes(bytes) }
    if let end = sighting.end {
      hasSaidEnd = true
      let data = Array("{\"reason\":\"\(end.rawValue)\"}".utf8)
      return .bytes(ServerSentEvent(event: "end", data: data).bytes)
    }
    return isBeatDue ? .bytes(ServerSentEvent.heartbeat) : .idle
  }
}
