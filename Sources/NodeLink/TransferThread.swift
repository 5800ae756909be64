import CFusionCurl
import Glibc
import Synchronization

/// A thread on which libcurl's multi interface serves any number of transfers at a time.
///
/// It has as many connections to each node as it may, keeps those that rest, and lets what is too much
/// wait in line. It ends when it is told to, or when nobody has this object any more but itself: so
/// somebody has to ``stop()`` it.
@safe final class TransferThread: Sendable {
  struct Limits: Sendable {
    var connectionsPerNode: Int
    var connectTimeout = Duration.seconds(1)
  }

  private struct Inbox {
    var transfers: [Transfer] = []
    var cancelled: [Int] = []
    var isStopping = false
  }

  private let limits: Limits
  private let inbox = Mutex(Inbox())
  nonisolated(unsafe) private let multi: UnsafeMutableRawPointer
  // Guard: its thread alone uses it, but for `curl_multi_wakeup`, which any thread may call.

  /// Nil where the system has no descriptors or no thread for it.
  init?(_ limits: Limits) {
    guard isLibraryReady, let multi = unsafe curl_multi_init() else { return nil }
    self.limits = limits
    unsafe self.multi = multi
    let connections = min(limits.connectionsPerNode, 1 << 16)
    unsafe ccurl_multi_set_number(multi, CURLMOPT_MAX_HOST_CONNECTIONS, connections)
    // Those that are kept: by itself it closes some when fewer transfers are at work.
    unsafe ccurl_multi_set_number(multi, CURLMOPT_MAXCONNECTS, connections * 4)
    guard start() else { return nil }
  }

  deinit {
    unsafe curl_multi_cleanup(multi)
  }

  /// Any thread.
  func begin(_ transfer: Transfer) {
    let isStopping = inbox.withLock { inbox in
      if !inbox.isStopping { inbox.transfers.append(transfer) }
      return inbox.isStopping
    }
    if isStopping { return transfer.abandon("this node is stopping") }
    unsafe curl_multi_wakeup(multi)
  }

  /// Has it end, unless it has ended.
  ///
  /// Any thread.
  func cancel(_ number: Int) {
    inbox.withLock { $0.cancelled.append(number) }
    unsafe curl_multi_wakeup(multi)
  }

  /// Ends all transfers, and the thread.
  ///
  /// Any thread; does not wait.
  func stop() {
    inbox.withLock { $0.isStopping = true }
    unsafe curl_multi_wakeup(multi)
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
    var work = unsafe TransferWork(multi, connectTimeout: limits.connectTimeout)
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
      work.proceed()
      // Shorter where libcurl has something to do earlier.
      unsafe curl_multi_poll(multi, nil, 0, 10_000, nil)
    }
    work.end()
  }
}

/// Set up once, before anything else is asked of it; what a process does not do is TLS.
private let isLibraryReady = curl_global_init(Int(CURL_GLOBAL_NOTHING)) == CURLE_OK
