import Dispatch
import FusionHTTPMessages
import Glibc
import Synchronization

/// The parts of a running server, and the order in which they are stopped.
final class RunningServer: Sendable {
  let context: ServerContext
  let connections: ConnectionRegistry
  let socket: ListeningSocket
  /// A serial queue: the first stop does the work, later ones wait for it.
  let queue = DispatchQueue(label: "http-stop")
  private let configuration: ServerConfiguration
  private let acceptor: Acceptor
  private let threads: Mutex<Threads>
  private let monitor: DeadlineMonitor
  private let isStopped = Atomic(false)

  private struct Threads {
    var current: [LoopThread]
    var identity: TLSIdentity?
    /// The threads that serve connections with an older certificate to their end.
    var retired: [LoopThread] = []

    var all: [LoopThread] { current + retired }
  }

  init(
    _ configuration: ServerConfiguration,
    handler: @escaping HTTPHandler
  ) throws(StartError) {
    socket = try ListeningSocket(configuration)
    let limit = ConnectionLimit(
      wanted: configuration.connectionLimit,
      loops: configuration.loops,
      share: configuration.shareOfOpenFiles
    )
    guard limit.isEnough else {
      throw StartError(
        socket.name,
        "cannot be listened on: too few open files are allowed. "
          + "Raise the limit (ulimit -n) to 256 or more"
      )
    }
    context = ServerContext(
      configuration,
      limit: limit,
      isLocal: socket.isLocal,
      handler: handler
    )
    acceptor = Acceptor(socket, context.loops)
    connections = ConnectionRegistry(context)
    let threads = try startLoops(configuration, acceptor, context, connections, socket.name)
    self.configuration = configuration
    self.threads = Mutex(Threads(current: threads, identity: configuration.tls))
    monitor = DeadlineMonitor(connections, Deadlines(configuration))
  }

  /// The number of connections of each loop, including streams.
  var connectionsByThread: [Int] { threads.withLock { $0.current }.map(\.loop.connections) }

  /// Uses another certificate for newly accepted connections.
  ///
  /// On `queue` only.
  ///
  /// The library reads a certificate only when a daemon starts, so new loops replace the old ones, which
  /// answer their requests and close. Throws if the identity is invalid, without changing anything. Does
  /// nothing if it is the same.
  func renew(_ identity: TLSIdentity) throws(StartError) {
    guard !isStopped.load(ordering: .relaxed), threads.withLock({ $0.identity }) != identity else {
      return
    }
    var configuration = configuration
    configuration.tls = identity
    let new = try startLoops(configuration, acceptor, context, connections, socket.name)
    let (old, ended) = threads.withLock { threads in
      let old = threads.current
      let ended = threads.retired.filter(\.loop.hasEnded)
      threads.retired = threads.retired.filter { thread in !ended.contains { $0 === thread } } + old
      threads.current = new
      threads.identity = identity
      return (old, ended)
    }
    for thread in old { thread.loop.retire() }
    for thread in ended { thread.join() }
  }

  func quiesce() {
    context.isDraining.store(true, ordering: .relaxed)
    socket.retire()
    for thread in threads.withLock({ $0.current }) { thread.loop.waker.wake() }
  }

  /// Stops the server, and blocks until everything is closed.
  ///
  /// On `queue` only.
  func stop(within limit: Duration) {
    guard !isStopped.exchange(true, ordering: .relaxed) else { return }
    quiesce()
    // Part of the time is for the last bytes of responses and streams; stopping the daemons cuts peers that
    // do not read them.
    let flush = min(max(limit / 4, .milliseconds(200)), .seconds(1))
    let connections = connections
    let isAnswering = {
      connections.all.contains { $0.stage.load(ordering: .sequentiallyConsistent).isAnswering }
    }
    wait(atMost: limit - flush, while: isAnswering)
    // Requests may have come after the wait: from now on none reaches the handler, and the waiting ones are
    // answered.
    context.isRefusing.store(true, ordering: .sequentiallyConsistent)
    wait(atMost: flush, while: isAnswering)
    connections.close()
    let threads = threads.withLock { $0.all }
    for thread in threads { thread.loop.waker.wake() }
    wait(atMost: flush) {
      connections.streams > 0
        || connections.all.contains { $0.stage.load(ordering: .relaxed).mayStillSend }
    }
    monitor.stop()
    for thread in threads { thread.loop.stop() }
    for thread in threads { thread.join() }
    context.loops.replace(by: [])
  }

  /// Polls every few milliseconds: counting requests instead would make each one more expensive.
  private func wait(atMost limit: Duration, while condition: () -> Bool) {
    let end = ContinuousClock.now + limit
    while ContinuousClock.now < end, condition() { usleep(2000) }
  }
}

/// Starts all loops, over which the acceptor then spreads connections.
///
/// Throws if a loop fails to start, without changing anything.
private func startLoops(
  _ configuration: ServerConfiguration,
  _ acceptor: Acceptor,
  _ context: ServerContext,
  _ registry: ConnectionRegistry,
  _ address: String
) throws(StartError) -> [LoopThread] {
  let count = configuration.loops
  var loops: [EventLoop] = []
  var threads: [LoopThread] = []
  var isRefused = false
  while threads.count < count, let loop = EventLoop(context) {
    guard let thread = LoopThread(loop, configuration, acceptor, registry) else {
      // For the first loop the identity is the likely cause; a lack of descriptors or memory shows later.
      isRefused = threads.isEmpty && configuration.tls != nil
      break
    }
    loops.append(loop)
    threads.append(thread)
  }
  // A thread accepts as soon as it starts, so all must exist before.
  let started = threads.count == count ? threads.prefix { $0.start() } : []
  guard started.count == count else {
    for thread in threads[started.count...] { thread.discard() }
    // The loops may already have connections, and end with them.
    for thread in started { thread.loop.retire() }
    if isRefused {
      throw StartError(
        address,
        "cannot speak TLS: the certificate and its key are damaged or do not match",
        isOfIdentity: true
      )
    }
    throw StartError(address, "cannot be listened on: the HTTP library could not be started")
  }
  context.loops.replace(by: loops)
  return threads
}
