import FusionHTTPMessages
import FusionMetrics
import FusionSessions
import Synchronization

/// One client's stream of the State of a session, or of several.
///
/// Its sessions wake its connection, which asks for the next event when it can take one. In between is
/// a ``StreamState``, which has its limits: so a reader costs the same however slow it is.
final class EventStream: BodyStream, Follower {
  private struct Guarded {
    var stream: StreamState
    var wake: (@Sendable () -> Void)?
    var cut: (@Sendable () -> Void)?
    var lastSent: Int
    /// Where it is compressed.
    var sum = StreamSum()
  }

  private let format: any StreamFormat
  private let isCompressed: Bool
  private let position: StreamPosition
  private let streams: Streams
  private let place: ClientSlot?
  private let uses: [SessionFeedUse]
  let affinity: Int
  private let guarded: Mutex<Guarded>

  /// Made only by ``Streams``, which has counted it by then.
  init(_ subscription: StreamSubscription, streams: Streams) {
    self.streams = streams
    format = subscription.format
    isCompressed = subscription.isCompressed
    position = subscription.position
    place = subscription.place
    uses = subscription.uses
    affinity = subscription.affinity
    guarded = Mutex(Guarded(stream: StreamState(subscription), lastSent: streams.tick))
  }

  deinit {
    streams.free()
  }

  /// What waits to be sent, beside what is newest.
  var backlog: Backlog { guarded.withLock { $0.stream.backlog } }

  func opened(wake: @escaping @Sendable () -> Void, cut: @escaping @Sendable () -> Void) {
    streams.add(self)
    // A feed calls without its own lock, so that this one may be held around a feed's.
    guarded.withLock { guarded in
      guarded.wake = wake
      guarded.cut = cut
      for (index, source) in guarded.stream.sources.enumerated() {
        source.session.beginUse()
        let following = source.session.feed.follow(self, wake)
        guarded.stream.begin(following, at: index, from: position)
      }
    }
  }

  func willReplace(_ snapshot: Snapshot, of feed: SnapshotFeed) {
    let (fits, cut) = guarded.withLock { guarded in
      (guarded.stream.addToBacklog(snapshot, of: feed), guarded.cut)
    }
    guard !fits else { return }
    streams.metrics.fellBehind.add()
    cut?()
  }

  func closed() {
    let sources = guarded.withLock { guarded in
      guarded.wake = nil
      guarded.cut = nil
      return guarded.stream.close()
    }
    for source in sources {
      guard let following = source.following else { continue }
      source.session.feed.unfollow(following)
      source.session.endUse()
    }
    streams.remove(self)
  }

  func next() -> BodyStep {
    while true {
      let (step, skipped) = guarded.withLock { guarded in
        if streams.memory.isFull { _ = guarded.stream.giveUpIfLarge() }
        let step = guarded.stream.step()
        if case .event = step { guarded.lastSent = streams.tick }
        return (step, guarded.stream.takeSkipped())
      }
      if skipped > 0 { streams.metrics.skipped.add(skipped) }
      switch step {
      case .event(let event):
        // Written outside the lock: a patch may take its time, and sessions shall not wait for it.
        let chunk = isCompressed ? compressed(event) : event.chunk(in: format)
        if !chunk.bytes.isEmpty { return .chunk(chunk) }
      case .idle: return .idle
      case .finished: return finalChunk().map { .chunk($0) } ?? .finished
      }
    }
  }

  private func compressed(_ event: StreamEvent) -> BodyChunk {
    let (chunk, sum) = event.gzipChunk(in: format, streams.memory)
    let start = guarded.withLock { $0.sum.append(sum) }
    return start.isEmpty ? chunk : BodyChunk(start + chunk.content)
  }

  func finalChunk() -> BodyChunk? {
    guard isCompressed else { return nil }
    return guarded.withLock { $0.sum.end() }.map { BodyChunk($0) }
  }

  /// For a stream to another node: ends where that should look for its session anew.
  func endFeed(where isLost: (SessionID) -> Bool) {
    guard format is NodeFormat else { return }
    let cut = guarded.withLock { $0.stream.giveUp(where: isLost) ? $0.cut : nil }
    cut?()
  }

  /// For a full memory: see ``StreamState/giveUpIfLarge()``.
  func giveUpIfLarge() {
    let cut = guarded.withLock { $0.stream.giveUpIfLarge() ? $0.cut : nil }
    cut?()
  }

  /// Sends a heartbeat if nothing was sent since that tick.
  func beat(ifSilentSince tick: Int) {
    let wake = guarded.withLock { guarded in
      guard guarded.lastSent <= tick else { return nil as (@Sendable () -> Void)? }
      guarded.stream.demandBeat()
      return guarded.wake
    }
    wake?()
  }
}
