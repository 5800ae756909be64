import Synchronization
import UIFusionKit

/// One hosted view model: its engine, what can be seen of it, and since when nobody has looked.
package final class Session: Sendable {
  package let id: SessionID
  package let viewModel: HostedViewModel
  package let feed: Feed
  private let engine: Engine
  let time: any TimeSource
  let executor: (any TaskExecutor)?
  let keys = Mutex(IdempotencyKeys())
  private let use: Mutex<Use>

  private struct Use {
    var last: Duration
    var holders = 0
  }

  init(
    id: SessionID,
    viewModel: HostedViewModel,
    parameters: (any Parameters)?,
    dependencies: Dependencies,
    mailboxLimit: Int,
    failed: @escaping @Sendable (any Error) -> Void
  ) throws {
    let feed = Feed()
    self.id = id
    self.viewModel = viewModel
    self.feed = feed
    time = dependencies.time
    executor = dependencies.executor
    engine = try viewModel.open(
      parameters,
      HostedViewModel.Opening(
        mailboxLimit: mailboxLimit,
        dependencies: dependencies,
        settled: { feed.settle($0) },
        published: { feed.publish($0, pulses: $1, version: $2) },
        failed: failed
      )
    )
    use = Mutex(Use(last: dependencies.time.now))
  }

  /// Hands Inputs over, as they stand in a request's body.
  ///
  /// `progress` is called on the engine, and must neither wait nor call back.
  ///
  /// - Throws: a ``Refusal``, or what is wrong with the body. Then nothing was handed over.
  package func submit(
    _ body: [UInt8],
    if condition: (@Sendable (_ version: Int) -> Bool)? = nil,
    progress: @escaping @Sendable (Progress) -> Void
  ) throws {
    let delivery = try viewModel.read(body, condition) { [self] step in
      guard let snapshot = feed.current.snapshot else { return }
      switch step {
      case .taken(let isSettled):
        release()
        progress(.taken(snapshot, isSettled: isSettled))
      case .settled: progress(.settled(snapshot))
      case .refused:
        release()
        progress(.refused(snapshot))
      case .closed:
        release()
        progress(.ended)
      case .abandoned: progress(.abandoned)
      }
    }
    // A request that waits to be taken up keeps the session.
    hold()
    switch engine.submit(delivery) {
    case .accepted: return
    case .full:
      release()
      throw Refusal.queueFull
    case .closed:
      release()
      throw Refusal.ended
    }
  }

  /// How many Inputs wait to be taken up.
  var waitingInputs: Int { engine.waitingInputs }

  /// What has become of Inputs, and what the session shows at that moment.
  package enum Progress: Sendable {
    /// The last Input has been taken up, and has done what it does before it first suspends.
    case taken(Snapshot, isSettled: Bool)
    /// Nothing that these Inputs started is left. Follows an unsettled `taken`.
    case settled(Snapshot)
    /// The condition was not met; nothing was done.
    case refused(Snapshot)
    /// The session ended before these Inputs had settled. Follows an unsettled `taken`.
    case abandoned
    /// The session ended before the last of these Inputs was taken up.
    case ended
  }

  /// Why Inputs were not even handed over.
  package enum Refusal: Error {
    case queueFull
    case ended
  }

  /// Calls back on the pool, when the turn that may be at work has come to its end or its next
  /// suspension, and the feed says whether the session is settled.
  package func afterTurn(_ body: @escaping @Sendable () -> Void) {
    Task.detached(executorPreference: executor) { [engine] in
      await enter(engine)
      body()
    }
  }

  func close(_ end: SessionEnd) {
    engine.close()
    feed.end(end)
  }

  /// Closes the engine for the end of the service.
  func stop() {
    engine.close()
  }

  // MARK: Use

  /// Somebody is here at this moment: the session's idle time begins anew.
  func touch() {
    let now = time.now
    use.withLock { $0.last = now }
  }

  /// Somebody stays, a stream or a held request: until ``release()`` the session is not idle.
  package func hold() {
    use.withLock { $0.holders += 1 }
  }

  package func release() {
    let now = time.now
    use.withLock {
      $0.holders -= 1
      $0.last = now
    }
  }

  func isIdle(since deadline: Duration) -> Bool {
    use.withLock { $0.holders == 0 && $0.last <= deadline }
  }
}

/// Suspends until the engine has a moment: what was running there by then is over.
private func enter(_ engine: isolated Engine) {}
