import CFusionCurl
import FusionMicrohttpdServer
import Glibc
import Synchronization

/// A thread on which libcurl's multi interface serves any number of transfers at a time.
///
/// The thread ends when it is told to ``stop()``.
@safe final class TransferThread: Sendable {
  struct Limits: Sendable {
    /// The connections to all nodes together.
    var connections: Int
    var connectionsPerNode: Int
    /// The number of transfers that may wait for a connection to one node.
    var waitingPerNode: Int
    /// The time that each transfer waits.
    var timeout = Duration.seconds(1)
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
  // Guard: only the thread uses it, except for curl_multi_wakeup(), which any thread may call.

  /// Returns nil if the system has no descriptors or no thread left.
  init?(_ limits: Limits) {
    guard isLibraryReady, let multi = unsafe curl_multi_init() else { return nil }
    self.limits = limits
    unsafe self.multi = multi
    // By default libcurl closes kept connections when few are in use.
    unsafe ccurl_multi_set_number(multi, CURLMOPT_MAXCONNECTS, min(limits.connections, 1 << 16))
    guard let thread = startThread(run) else { return nil }
    pthread_detach(thread)
  }

  deinit {
    unsafe curl_multi_cleanup(multi)
  }

  func begin(_ transfer: Transfer) {
    let isStopping = inbox.withLock { inbox in
      if !inbox.isStopping { inbox.transfers.append(transfer) }
      return inbox.isStopping
    }
    if isStopping { return transfer.abandon("this node is stopping") }
    unsafe curl_multi_wakeup(multi)
  }

  /// Ends a transfer, unless it has ended.
  func cancel(_ number: Int) {
    inbox.withLock { $0.cancelled.append(number) }
    unsafe curl_multi_wakeup(multi)
  }

  /// Ends all transfers, and the thread; does not wait.
  func stop() {
    inbox.withLock { $0.isStopping = true }
    unsafe curl_multi_wakeup(multi)
  }

  // MARK: On the thread

  private func run() {
    var work = unsafe TransferWork(multi, limits)
    while true {
      let news = inbox.withLock { inbox in
        let news = inbox
        (inbox.transfers, inbox.cancelled) = ([], [])
        return news
      }
      for transfer in news.transfers { work.begin(transfer) }
      for number in news.cancelled { work.cancel(number) }
      if news.isStopping { break }
      work.proceed()
      unsafe curl_multi_poll(multi, nil, 0, work.millisecondsLeft, nil)
    }
    work.end()
  }
}

/// Whether libcurl is set up, once and before anything else is asked of it; nodes do not use its TLS.
private let isLibraryReady = curl_global_init(Int(CURL_GLOBAL_NOTHING)) == CURLE_OK
