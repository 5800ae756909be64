import Synchronization

/// The open connections of one server.
final class ConnectionRegistry: Sendable {
  private struct State {
    var open: [Connection] = []
    var isClosing = false
  }

  private let context: ServerContext
  private let state = Mutex(State())

  init(_ context: ServerContext) {
    self.context = context
  }

  /// The number of connections, including streams.
  var count: Int { state.withLock { $0.open.count } + streams }

  /// The number of streams whose sockets the loops have taken over.
  var streams: Int { context.openStreams.load(ordering: .relaxed) }

  /// All current connections except streams; copied only when the next one opens or closes.
  var all: [Connection] { state.withLock { $0.open } }

  /// Adds a new connection; returns the new number of connections.
  func insert(_ connection: Connection) -> Int {
    let (count, isClosing) = state.withLock { state in
      // Guard: this lock.
      unsafe connection.place = state.open.count
      state.open.append(connection)
      return (state.open.count + streams, state.isClosing)
    }
    // `close` may have taken the list before this connection was in it.
    if isClosing { connection.close() }
    return count
  }

  /// Removes a connection in constant time: the last one takes its position.
  func remove(_ connection: Connection) {
    state.withLock { state in
      // Guard: this lock.
      let place = unsafe connection.place
      guard place >= 0, let last = state.open.popLast() else { return }
      unsafe connection.place = -1
      guard last !== connection else { return }
      state.open[place] = last
      unsafe last.place = place
    }
  }

  /// Counts a connection as a stream from now on.
  func countAsStream(_ connection: Connection) {
    context.openStreams.add(1, ordering: .relaxed)
    remove(connection)
  }

  /// Ends all streams and answers all waiting requests; from now on nothing is suspended.
  ///
  /// In one pass, since each resume makes the library scan every suspended connection of its daemon.
  func close() {
    context.closing.store(true, ordering: .releasing)
    let open = state.withLock { state in
      state.isClosing = true
      return state.open
    }
    for connection in open { connection.close() }
  }
}
