import FusionHTTPToolkit
import FusionMetrics
import FusionSessions
import Synchronization
import UIFusionKit

/// All open streams, with their limit and their heartbeats.
///
/// A heartbeat keeps proxies from cutting a silent stream, and detects vanished peers, which only a write
/// reveals.
final class Streams: Sendable {
  /// The number of ticks in a heartbeat period, so that a heartbeat is at most a twentieth late.
  static let ticksPerHeartbeat = 20

  let metrics: StreamMetrics
  let memory: MemoryGauge
  /// The pool that compresses large States.
  let pool: (any TaskExecutor)?
  private let limit: Atomic<Int>
  private let reserved = Atomic<Int>(0)
  private let ticks = Atomic<Int>(0)
  private let open = Mutex<[ObjectIdentifier: any OpenStream]>([:])
  /// The open streams that show a session by a share.
  private let shared = Mutex<[ObjectIdentifier: any OpenStream]>([:])

  init(limit: Int, for host: SessionHost, _ metrics: StreamMetrics) {
    self.metrics = metrics
    memory = host.memory
    pool = host.dependencies.executor
    self.limit = Atomic(limit)
  }

  /// The maximum number of open streams.
  var currentLimit: Int { limit.load(ordering: .relaxed) }

  /// Lowers the limit, never raises it; returns the new limit.
  func lowerLimit(to limit: Int) -> Int {
    self.limit.min(limit, ordering: .relaxed).newValue
  }

  /// The number of open streams.
  var count: Int { open.withLock { $0.count } }

  /// The number of calls of ``sendHeartbeats()``: a clock that is free to read.
  var tick: Int { ticks.load(ordering: .relaxed) }

  /// Opens a stream; returns nil if the limit is reached.
  func open(_ subscription: StreamSubscription) -> EventStream? {
    reserve() ? EventStream(subscription, streams: self) : nil
  }

  /// Counts a stream that is about to be opened, until ``free()``; returns false if the limit is reached.
  func reserve() -> Bool {
    guard reserved.add(1, ordering: .relaxed).newValue <= currentLimit else {
      metrics.refused.add()
      free()
      return false
    }
    return true
  }

  /// Subtracts a stream from the number of reserved ones.
  func free() {
    reserved.subtract(1, ordering: .relaxed)
  }

  func add(_ stream: any OpenStream) {
    open.withLock { $0[ObjectIdentifier(stream)] = stream }
    if !stream.shares.isEmpty { shared.withLock { $0[ObjectIdentifier(stream)] = stream } }
  }

  func remove(_ stream: any OpenStream) {
    open.withLock { _ = $0.removeValue(forKey: ObjectIdentifier(stream)) }
    if !stream.shares.isEmpty {
      shared.withLock { _ = $0.removeValue(forKey: ObjectIdentifier(stream)) }
    }
  }

  /// The shares by which streams show sessions.
  var shares: Set<ShareID> { shared.withLock { Set($0.values.flatMap(\.shares)) } }

  /// Ends the sources of shares for which the function returns an end.
  func endShares(_ end: (StoredShare) -> SessionEnd?) {
    for stream in shared.withLock({ Array($0.values) }) { stream.endShares(end) }
  }

  /// Sends a heartbeat on each stream that was silent for a period; ends the streams of ended logins.
  func sendHeartbeats() {
    let now = ticks.add(1, ordering: .relaxed).newValue
    let streams = open.withLock { Array($0.values) }
    for stream in streams {
      stream.endWithLogin()
      stream.sendHeartbeat(ifSilentSince: now - Self.ticksPerHeartbeat - 1)
    }
    // Streams keep their sessions in memory.
    if memory.isFull { for stream in streams { stream.giveUpIfLarge() } }
  }
}

/// A stream with heartbeats.
protocol OpenStream: AnyObject, Sendable {
  /// The shares by which the stream shows sessions.
  var shares: [ShareID] { get }
  /// Ends the sources of shares for which the function returns an end.
  func endShares(_ end: (StoredShare) -> SessionEnd?)
  /// Sends a heartbeat if nothing was sent since the tick.
  func sendHeartbeat(ifSilentSince tick: Int)
  /// Ends the stream if its client's login has ended.
  func endWithLogin()
  /// Ends the stream if it keeps a large State in memory, because memory is full.
  func giveUpIfLarge()
}

/// Counters of streams that were refused or read too slowly.
struct StreamMetrics: Sendable {
  let refused: Counter
  let refusedForMemory: Counter
  let skipped: Counter
  let fellBehind: Counter

  init(_ metrics: Metrics, _ refusals: RefusalMetrics) {
    refused = refusals.counter(of: "max-streams")
    refusedForMemory = refusals.counter(of: "max-memory")
    skipped = metrics.counter(
      "uifusion_stream_snapshots_skipped_total",
      "Snapshots that a stream left out, as a newer one was there when its client could take one."
    )
    fellBehind = metrics.counter(
      "uifusion_streams_fell_behind_total",
      "Streams that were closed, as too much waited that must not be left out."
    )
  }
}
