import FusionMetrics
import FusionSessions
import Synchronization

/// All open streams: how many there may be, and their heartbeats.
///
/// A heartbeat does two things: it keeps a silent stream from being cut by what stands in between,
/// and it finds peers that have gone without a word, which shows only in writing to them.
final class Streams: Sendable {
  /// Ticks in a heartbeat period: so many that a beat is at most a twentieth late.
  static let ticksPerHeartbeat = 20

  let metrics: StreamMetrics
  let memory: MemoryGauge
  private let limit: Atomic<Int>
  private let reserved = Atomic<Int>(0)
  private let ticks = Atomic<Int>(0)
  private let open = Mutex<[ObjectIdentifier: EventStream]>([:])

  init(limit: Int, _ memory: MemoryGauge, _ metrics: StreamMetrics) {
    self.metrics = metrics
    self.memory = memory
    self.limit = Atomic(limit)
  }

  /// How many may be open.
  var currentLimit: Int { limit.load(ordering: .relaxed) }

  /// Returns the lower one of the limit that there was and this one.
  func lowerLimit(to limit: Int) -> Int {
    self.limit.min(limit, ordering: .relaxed).newValue
  }

  /// How many are open.
  var count: Int { open.withLock { $0.count } }

  /// Counts the calls of ``beat()``: a clock that costs nothing to read.
  var tick: Int { ticks.load(ordering: .relaxed) }

  /// A new stream; nil where there are as many as may be.
  func open(_ subscription: StreamSubscription) -> EventStream? {
    guard reserved.add(1, ordering: .relaxed).newValue <= currentLimit else {
      metrics.refused.add()
      free()
      return nil
    }
    return EventStream(subscription, streams: self)
  }

  /// A stream's place is free again: it is no more, or was never made.
  func free() {
    reserved.subtract(1, ordering: .relaxed)
  }

  func add(_ stream: EventStream) {
    open.withLock { $0[ObjectIdentifier(stream)] = stream }
  }

  func remove(_ stream: EventStream) {
    open.withLock { _ = $0.removeValue(forKey: ObjectIdentifier(stream)) }
  }

  /// Ends the streams to other nodes that show a session which is not at work here.
  func endFeeds(where isLost: (SessionID) -> Bool) {
    let streams = open.withLock { Array($0.values) }
    for stream in streams { stream.endFeed(where: isLost) }
  }

  func beat() {
    let now = ticks.add(1, ordering: .relaxed).newValue
    let streams = open.withLock { Array($0.values) }
    for stream in streams { stream.beat(ifSilentSince: now - Self.ticksPerHeartbeat - 1) }
    // They keep their sessions in memory.
    if memory.isFull { for stream in streams { stream.giveUpIfLarge() } }
  }
}
