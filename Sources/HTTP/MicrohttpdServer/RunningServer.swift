import Dispatch
import FusionHTTPMessages
import Glibc
import Synchronization

/// The moving parts of a server, and the order in which they stop.
final class RunningServer: Sendable {
  let context: ServerContext
  let socket: ListeningSocket
  /// Serial: the first stop does the work, and later ones wait behind it.
  let queue = DispatchQueue(label: "http-stop")
  private let configuration: MicrohttpdServer.Configuration
  private let acceptor: Acceptor
  private let threads: Mutex<Threads>
  private let sweeper: Sweeper
  private let isStopped = Atomic(false)

  private struct Threads {
    var current: [LoopThread]
    var identity: TLSIdentity?
    /// Those that serve connections of an older identity to their end.
    var retired: [LoopThread] = []

    var all: [LoopThread] { current + retired }
  }

  init(
    _ configuration: MicrohttpdServer.Configuration,
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
        .other("too few open files are allowed: raise the limit (ulimit -n) to 256 or more"),
        socket.name
      )
    }
    context = ServerContext(
      configuration,
      limit: limit,
      isLocal: socket.isLocal,
      handler: handler
    )
    acceptor = Acceptor(socket, context.loops)
    let threads = try startLoops(configuration, acceptor, context, socket.name)
    self.configuration = configuration
    self.threads = Mutex(Threads(current: threads, identity: configuration.tls))
    sweeper = Sweeper(context.connections, context.deadlines)
  }

  /// How many connections each loop has, streams included.
  var connectionsByThread: [Int] { threads.withLock { $0.current }.map(\.connections) }

  /// On `queue` only: connections that are accepted from here on are shown another identity.
  ///
  /// The library takes one at the start of a daemon: new loops take the place of those that there are, which
  /// answer what they have to answer and close. Throws where the identity is not valid, and nothing changes
  /// then, nor where it is the same.
  func renew(_ identity: TLSIdentity) throws(StartError) {
    guard !isStopped.load(ordering: .relaxed), threads.withLock({ $0.identity }) != identity else {
      return
    }
    var configuration = configuration
    configuration.tls = identity
    let new = try startLoops(configuration, acceptor, context, socket.name)
    let (old, ended) = threads.withLock { threads in
      let old = threads.current
      let ended = threads.retired.filter(\.hasEnded)
      threads.retired = threads.retired.filter { thread in !ended.contains { $0 === thread } } + old
      threads.current = new
      threads.identity = identity
      return (old, ended)
    }
    for thread in old { thread.retire() }
    for thread in ended { thread.join() }
  }

  func quiesce() {
    context.isDraining.store(true, ordering: .relaxed)
    socket.retire()
    for thread in threads.withLock({ $0.current }) { thread.wake() }
  }

  /// On `queue` only: blocks until everything is closed.
  func stop(within limit: Duration) {
    guard !isStopped.exchange(true, ordering: .relaxed) else { return }
    quiesce()
    // A part of the time is for the last bytes of what was answered or streamed: a peer that does not
    // read them is cut by the daemon's stop.
    let flush = min(max(limit / 4, .milliseconds(200)), .seconds(1))
    let connections = context.connections
    let isAnswering = { connections.all.contains(where: \.isAnswering) }
    wait(atMost: limit - flush, while: isAnswering)
    // What came when nobody was waited for any more may be at work: from here on nothing begins, and
    // what has begun is answered with what came of it.
    context.isRefusing.store(true, ordering: .sequentiallyConsistent)
    wait(atMost: flush, while: isAnswering)
    connections.close()
    let threads = threads.withLock { $0.all }
    for thread in threads { thread.finishStreams() }
    wait(atMost: flush) {
      connections.streams > 0 || connections.all.contains(where: \.isSending)
    }
    sweeper.stop()
    for thread in threads { thread.stop() }
    for thread in threads { thread.join() }
    context.loops.replace(by: [])
  }

  /// Looks every few milliseconds: counting requests instead would be paid for by each of them.
  private func wait(atMost limit: Duration, while condition: () -> Bool) {
    let end = ContinuousClock.now + limit
    while ContinuousClock.now < end, condition() { usleep(2000) }
  }
}

/// All of them, over which the acceptor spreads connections from then on; where one cannot be had, nothing
/// has changed.
private func startLoops(
  _ configuration: MicrohttpdServer.Configuration,
  _ acceptor: Acceptor,
  _ context: ServerContext,
  _ address: String
) throws(StartError) -> [LoopThread] {
  let count = configuration.loops
  var loops: [EventLoop] = []
  var threads: [LoopThread] = []
  var isRefused = false
  while threads.count < count, let loop = EventLoop(context) {
    guard let thread = LoopThread(loop, configuration, acceptor) else {
      // What may fail beside the identity, descriptors and memory, hardly does for the first.
      isRefused = threads.isEmpty && configuration.tls != nil
      break
    }
    loops.append(loop)
    threads.append(thread)
  }
  // From its start on a thread accepts: so all are there by then.
  let started = threads.count == count ? threads.prefix { $0.start() } : []
  guard started.count == count else {
    for thread in threads[started.count...] { thread.discard() }
    // They may have connections by now, and end with them.
    for thread in started { thread.retire() }
    if isRefused { throw StartError(.identityNotValid, address) }
    throw StartError(.other("the HTTP library could not be started"), address)
  }
  context.loops.replace(by: loops)
  return threads
}

extension Connection {
  /// A request's head is complete and its answer, other than a stream, not sent in full.
  fileprivate var isAnswering: Bool {
    switch stage.load(ordering: .sequentiallyConsistent).kind {
    case .body, .answering, .sending: true
    case .fresh, .kept, .head, .streaming: false
    }
  }

  /// An answer of ours is on its way out, the end of a stream included.
  fileprivate var isSending: Bool {
    switch stage.load(ordering: .relaxed).kind {
    case .answering, .sending, .streaming: true
    case .fresh, .kept, .head, .body: false
    }
  }
}
