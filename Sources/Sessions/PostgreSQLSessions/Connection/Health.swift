import Dispatch
import Synchronization

/// Whether the server takes changes: told when that changes, whichever line notices.
final class Health: Sendable {
  private struct Contents {
    var isDown = false
    /// Whether it was told that commits wait for a standby.
    var isExplained = false
    var isLooking = false
  }

  private let contents = Mutex(Contents())
  private let report: @Sendable (PostgreSQLSessionStore.Event) -> Void
  private let commitsWait: @Sendable () -> Bool

  /// - Parameters:
  ///   - commitsWait: whether commits wait for a standby; asked on a thread of its own.
  ///   - report: told of each change.
  init(
    commitsWait: @escaping @Sendable () -> Bool,
    _ report: @escaping @Sendable (PostgreSQLSessionStore.Event) -> Void
  ) {
    self.commitsWait = commitsWait
    self.report = report
  }

  func failed(_ error: PostgreSQLError) {
    let hadNoAnswer = if case .lost = error.kind { true } else { false }
    let (isNews, mustLook) = contents.withLock { contents in
      defer { contents.isDown = true }
      let mustLook = hadNoAnswer && !contents.isExplained && !contents.isLooking
      if mustLook { contents.isLooking = true }
      return (!contents.isDown, mustLook)
    }
    if isNews { report(.unreachable(error.text)) }
    if mustLook { look() }
  }

  /// A change stands: that a connection was made, or something read, says nothing of that.
  func stood() {
    let isNews = contents.withLock { contents in
      guard contents.isDown else { return false }
      contents.isDown = false
      contents.isExplained = false
      return true
    }
    if isNews { report(.reconnected) }
  }

  private func look() {
    DispatchQueue.global().async { [self] in
      let isWaiting = commitsWait()
      let isNews = contents.withLock { contents in
        contents.isLooking = false
        guard isWaiting, contents.isDown else { return false }
        contents.isExplained = true
        return true
      }
      if isNews { report(.waitsForStandby) }
    }
  }
}
