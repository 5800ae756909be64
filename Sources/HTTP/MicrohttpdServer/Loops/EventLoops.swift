import Synchronization

/// The loops that serve what comes from now on.
final class EventLoops: Sendable {
  private let loops = Mutex<[EventLoop]>([])

  /// Any thread.
  func replace(by loops: [EventLoop]) {
    self.loops.withLock { $0 = loops }
  }

  /// The one with the fewest connections.
  var leastLoaded: EventLoop? {
    loops.withLock { $0 }.min { $0.load < $1.load }
  }

  /// The one that serves the streams of this number.
  func loop(forAffinity affinity: Int) -> EventLoop? {
    loops.withLock { loops in
      loops.isEmpty ? nil : loops[Int(UInt(bitPattern: affinity) % UInt(loops.count))]
    }
  }
}
