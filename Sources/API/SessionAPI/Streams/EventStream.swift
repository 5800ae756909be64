import FusionGzip
import FusionHTTPMessages
import FusionHTTPToolkit
import FusionMetrics
import FusionSessions
import Synchronization

/// A client's stream of the State of one or more sessions.
///
/// The sessions wake the stream's connection, which asks for the next event when it can send it. The
/// ``StreamState`` in between is bounded, so that a slow reader costs no more than a fast one.
final class EventStream: BodyStream, OpenStream, Follower {
  private struct Contents {
    var stream: StreamState
    var wake: (@Sendable () -> Void)?
    var cut: (@Sendable () -> Void)?
    var lastSent: Int
    /// An event that takes long to compress; no other is sent until it is compressed.
    var long: LongEvent?
    /// The checksum of the sent data, for a compressed stream.
    var sum = StreamSum()
  }

  // Indirect: few streams have such an event at a time, and a pointer is smaller than an event.
  private indirect enum LongEvent {
    /// The pool is compressing the event.
    case begun(StreamEvent)
    case ready(StreamEvent)
  }

  private let format: any StreamFormat
  private let position: StreamPosition
  private let isCompressed: Bool
  private let streams: Streams
  private let slot: ClientSlot?
  private let login: (any SenderLogin)?
  let affinity: Int
  /// The shares by which the stream shows sessions.
  let shares: [ShareID]
  private let contents: Mutex<Contents>

  /// Opens the stream; only ``Streams`` calls this, after counting the stream.
  init(_ subscription: StreamSubscription, streams: Streams) {
    self.streams = streams
    format = subscription.format
    isCompressed = subscription.isCompressed
    position = subscription.position
    slot = subscription.slot
    login = subscription.login
    affinity = subscription.affinity
    shares = subscription.sessions.compactMap { ($0 as? SharedSource)?.share.id }
    contents = Mutex(Contents(stream: StreamState(subscription), lastSent: streams.tick))
  }

  deinit {
    streams.free()
  }

  /// The snapshots that must be sent before the newest one.
  var backlog: Backlog { contents.withLock { $0.stream.backlog } }

  func opened(wake: @escaping @Sendable () -> Void, cut: @escaping @Sendable () -> Void) {
    streams.add(self)
    // A feed calls followers outside its own lock, so this lock may be held around a feed's.
    contents.withLock { contents in
      contents.wake = wake
      contents.cut = cut
      for (index, source) in contents.stream.sources.enumerated() {
        source.session.beginUse()
        let feed = source.session.feed
        let isFirst = !contents.stream.sources[..<index].contains { $0.session.feed === feed }
        let following = feed.follow(isFirst ? self : nil, wake)
        contents.stream.begin(following, at: index, from: position)
      }
    }
  }

  func willReplace(_ snapshot: Snapshot, of feed: SnapshotFeed) {
    let (fits, cut) = contents.withLock { contents in
      (contents.stream.addToBacklog(snapshot, of: feed), contents.cut)
    }
    guard !fits else { return }
    streams.metrics.fellBehind.add()
    cut?()
  }

  func closed() {
    let sources = contents.withLock { contents in
      contents.wake = nil
      contents.cut = nil
      return contents.stream.close()
    }
    release(sources)
    streams.remove(self)
  }

  private func release(_ sources: [StreamState.Source]) {
    for source in sources {
      guard let following = source.following else { continue }
      source.session.feed.unfollow(following)
      source.session.endUse()
    }
  }

  func next() -> BodyStep {
    while true {
      let (step, skipped) = contents.withLock { contents -> (StreamState.Step, Int) in
        if streams.memory.isFull { _ = contents.stream.giveUpIfLarge() }
        switch contents.long {
        case .begun: return (.idle, 0)
        case .ready(let event):
          contents.long = nil
          return (.event(event), 0)
        case nil: break
        }
        let step = contents.stream.step()
        if case .event = step { contents.lastSent = streams.tick }
        return (step, contents.stream.takeSkipped())
      }
      if skipped > 0 { streams.metrics.skipped.add(skipped) }
      switch step {
      case .event(let event):
        if isCompressed, event.takesLongToCompress, !streams.memory.isShort {
          compressInPool(event)
          return .idle
        }
        // Encoded outside the lock: making a patch takes time, and sessions must not wait for it.
        let chunk = isCompressed ? compressed(event) : event.chunk(in: format)
        if !chunk.bytes.isEmpty { return .chunk(chunk) }
      case .idle: return .idle
      case .finished: return finalChunk().map { .chunk($0) } ?? .finished
      }
    }
  }

  /// Compresses an event's data, which all streams share, in the pool; then wakes the connection.
  private func compressInPool(_ event: StreamEvent) {
    contents.withLock { $0.long = .begun(event) }
    Task.detached(executorPreference: streams.pool) { [self] in
      _ = event.gzipChunk(in: format, streams.memory)
      let wake = contents.withLock { contents in
        contents.long = .ready(event)
        return contents.wake
      }
      wake?()
    }
  }

  private func compressed(_ event: StreamEvent) -> BodyChunk {
    let (chunk, sum) = event.gzipChunk(in: format, streams.memory)
    let start = contents.withLock { $0.sum.append(sum) }
    return start.isEmpty ? chunk : BodyChunk(start + chunk.content)
  }

  func finalChunk() -> BodyChunk? {
    guard isCompressed else { return nil }
    return contents.withLock { $0.sum.end() }.map { BodyChunk($0) }
  }

  /// See ``StreamState/giveUpIfLarge()``.
  func giveUpIfLarge() {
    let cut = contents.withLock { $0.stream.giveUpIfLarge() ? $0.cut : nil }
    cut?()
  }

  /// Ends the sources of ended shares, and the stream with its last source.
  func endShares(_ end: (StoredShare) -> SessionEnd?) {
    let (ended, wake) = contents.withLock { ($0.stream.endShares(end), $0.wake) }
    guard !ended.isEmpty else { return }
    release(ended)
    wake?()
  }

  func endWithLogin() {
    guard let login, !login.stands else { return }
    let (sources, wake) = contents.withLock { ($0.stream.signOut(), $0.wake) }
    release(sources)
    wake?()
  }

  func sendHeartbeat(ifSilentSince tick: Int) {
    let wake = contents.withLock { contents in
      guard contents.lastSent <= tick else { return nil as (@Sendable () -> Void)? }
      contents.stream.demandHeartbeat()
      return contents.wake
    }
    wake?()
  }
}

/// The running checksum of a compressed stream, which the trailer contains.
struct StreamSum {
  private enum Phase {
    case new, begun, ended
  }

  private var phase = Phase.new
  private var sum = GzipSum()

  /// Adds a part that is about to be sent; returns the bytes that must precede it.
  mutating func append(_ part: GzipSum) -> [UInt8] {
    sum.append(part)
    defer { phase = .begun }
    return phase == .new ? GzipStream.header : []
  }

  /// Returns the bytes that complete the stream; nil if they were already returned.
  mutating func end() -> [UInt8]? {
    guard phase != .ended else { return nil }
    defer { phase = .ended }
    return (phase == .new ? GzipStream.header : []) + GzipStream.ending(sum)
  }
}
