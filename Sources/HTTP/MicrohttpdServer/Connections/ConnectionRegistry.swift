import Synchronization

/// The open connections of one server.
final class Connections: Sendable {
  private struct Registry {
    var open: [Connection] = []
    /// Those whose sockets their loops have taken over.
    var streams = 0
    var isClosing = false

    mutating func remove(_ connection: Connection) {
      // Guarded by the registry's lock.
      let place = unsafe connection.place
      guard place >= 0, let last = open.popLast() else { return }
      unsafe connection.place = -1
      guard last !== connection else { return }
      open[place] = last
      unsafe last.place = place
    }
  }

  private let registry = Mutex(Registry())
  /// The same as in the registry, for those who only want to know.
  private let closing = Atomic(false)

  var count: Int { registry.withLock { $0.open.count + $0.streams } }
  var streams: Int { registry.withLock { $0.streams } }
  var isClosing: Bool { closing.load(ordering: .acquiring) }

  /// All of them at this moment.
  ///
  /// Copying is put off until the next one opens or closes.
  var all: [Connection] { registry.withLock { $0.open } }

  /// Takes in a new connection; answers how many there are now.
  func insert(_ connection: Connection) -> Int {
    let (count, isClosing) = registry.withLock { registry in
      // Guarded by this lock.
      unsafe connection.place = registry.open.count
      registry.open.append(connection)
      return (registry.open.count + registry.streams, registry.isClosing)
    }
    // One that came past `close()`, which had the list before.
    if isClosing { connection.close() }
    return count
  }

  /// Forgets a connection, in constant time: the last one takes its place.
  func remove(_ connection: Connection) {
    registry.withLock { $0.remove(connection) }
  }

  /// A connection's socket is a stream's from here on, and counts as such.
  func countAsStream(_ connection: Connection) {
    registry.withLock { registry in
      registry.remove(connection)
      registry.streams += 1
    }
  }

  func countOutStream() {
    registry.withLock { $0.streams -= 1 }
  }

  /// Ends all streams and answers everyone who still waits; from here on none is suspended.
  ///
  /// Not undone. In one pass over all: each resume makes the library look through every suspended
  /// connection of its daemon.
  func close() {
    closing.store(true, ordering: .releasing)
    let open = registry.withLock { registry in
      registry.isClosing = true
      return registry.open
    }
    for connection in open { connection.close() }
  }
}
