import UIFusionKit

/// The owner of a commit log: a session, as its log and its Inputs know it.
protocol CommitLogOwner: AnyObject, Sendable {
  var id: SessionID { get }
  var identity: String? { get }
  var viewModel: HostedViewModel { get }
  var feed: SnapshotFeed { get }
  var context: SessionContext { get }

  /// Discards the instance whose log the store has failed, and not its successor.
  func lose(_ error: StoreError, of log: CommitLog)

  /// Notes whether the session is at work on what it was asked to do: it does not expire before that is done.
  func setAtWork(_ isAtWork: Bool)

  /// Notes changes of alarms, which are stored.
  func changed(_ alarms: [AlarmChange], of log: CommitLog)

  /// Notes that a request's Inputs do not wait any longer.
  func endUse()

  /// Notes that one more Input is committed under a key.
  func advance(_ progress: KeyProgress, by inputs: SubmittedInputs)

  /// Notes that no request works under a key any more.
  func finish(_ key: String, by inputs: SubmittedInputs)
}

extension CommitLogOwner {
  var time: any TimeSource { context.dependencies.time }

  /// The calendar's time.
  var now: WallTime { context.clock.now }

  /// The snapshot that is current; nil only while the session is being opened.
  var current: Snapshot? { feed.current.snapshot }
}
