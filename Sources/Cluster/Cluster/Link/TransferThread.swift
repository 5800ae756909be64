import CFusionCurl
import Glibc
import Synchronization

/// A thread on which libcurl's multi interface serves any number of transfers at a time.
///
/// It has as many connections to each node as it may, keeps those that rest, and lets what is too much
/// wait in a line for each node. It ends when it is told to, or when nobody has this object any more but itself: so
/// somebody has to ``stop()`` it.
@safe final class TransferThread: Sendable {
  struct Limits: Sendable {
    /// To all nodes together.
    var connections: Int
    var connectionsPerNode: Int
    /// How many transfers may wait for one of those.
    var waitingPerNode: Int
    /// How long each waits for it.
    var patience = Duration.seconds(1)
    var connectTimeout = Duration.seconds(1)
  }

  private struct Inbox {
    var transfers: [Transfer] = []
    var cancelled: [Int] = []
    var isStopping = false

    var isEmpty: Bool { transfers.isEmpty && cancelled.isEmpty }
  }

  private let limits: Limits
  private let inbox = Mutex(Inbox())
  private let events: TransferEvents
  nonisolated(unsafe) private let multi: UnsafeMutableRawPointer
  // Guard: its thread alone uses it.

  /// Nil where the system has no descriptors or no thread for it.
  init?(_ limits: Limits) {
    guard isLibraryReady, let events = TransferEvents(),
      let multi = unsafe curl_multi_init()
    else { return nil }
    self.limits = limits
    self.events = events
    unsafe self.multi = multi
    unsafe events.serve(multi)
    // Those that are kept, and those at work: by itself it closes some when fewer transfers are at work.
    unsafe ccurl_multi_set_number(multi, CURLMOPT_MAXCONNECTS, min(limits.connections, 1 << 16))
    guard start() else { return nil }
  }

  deinit {
    unsafe curl_multi_cleanup(multi)
  }

  /// Any thread.
  func begin(_ transfer: Transfer) {
    let (isStopping, isFirst) = inbox.withLock { inbox in
      let isFirst = inbox.isEmpty
      if !inbox.isStopping { inbox.transfers.append(transfer) }
      return (inbox.isStopping, isFirst)
    }
    if isStopping { return transfer.abandon("this node is stopping") }
    // Where there was something already, somebody has rung for it.
    if isFirst { events.ring() }
  }

  /// Ends the thread, unless it has ended.
  ///
  /// Any thread.
  func cancel(_ number: Int) {
    let isFirst = inbox.withLock { inbox in
      defer { inbox.cancelled.append(number) }
      return inbox.isEmpty
    }
    if isFirst { events.ring() }
  }

  /// Ends all transfers, and the thread.
  ///
  /// Any thread; does not wait.
  func stop() {
    inbox.withLock { $0.isStopping = true }
    events.ring()
  }

  private func start() -> Bool {
    let own = unsafe Unmanaged.passRetained(self)
    var thread = pthread_t()
    let result = unsafe pthread_create(
      &thread,
      nil,
      { own in
        guard let own = unsafe own else { return nil }
        unsafe Unmanaged<TransferThread>.fromOpaque(own).takeRetainedValue().run()
        return nil
      },
      own.toOpaque()
    )
    guard result == 0 else {
      unsafe own.release()
      return false
    }
    pthread_detach(thread)
    return true
  }

  // MARK: On the thread

  private func run() {
    var work = unsafe TransferWork(multi, limits)
    while true {
      let news = inbox.withLock { inbox in
        let news = inbox
        inbox.transfers = []
        inbox.cancelled = []
        return news
      }
      for transfer in news.transfers { work.begin(transfer) }
      for number in news.cancelled { work.cancel(number) }
      if news.isStopping { break }
      unsafe events.wait(until: work.nextDeadline, multi)
      work.proceed()
    }
    work.end()
  }
}

/// Set up once, before anything else is asked of it; what a process does not do is TLS.
private let isLibraryReady = curl_global_init(Int(CURL_GLOBAL_NOTHING)) == CURLE_OK
