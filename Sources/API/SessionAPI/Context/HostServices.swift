import FusionSessions
import UIFusionKit

/// The services of a host that resources use; a session that exists already comes from ``SessionAccess`` alone.
protocol HostServices: AnyObject, Sendable {
  var viewModels: [HostedViewModel] { get }
  var limits: SessionLimits { get }
  var dependencies: Dependencies { get }
  var memory: MemoryGauge { get }
  /// The timeouts of requests that are held.
  var timeouts: Timeouts { get }
  var isStoreReachable: Bool { get }
  /// Whether sessions may be watched.
  var isWatchable: Bool { get }
  /// Whether each Input that is processed is reported.
  var reportsInputs: Bool { get }
  /// The current time by the calendar, by which shares expire.
  var now: WallTime { get }

  func viewModel(named name: String) -> HostedViewModel?

  func find(_ name: SessionName, _ done: @escaping StoreAnswer<SessionID?>)

  func create(
    _ viewModel: HostedViewModel,
    parameters: (any Parameters)?,
    for identity: String?,
    name: SessionName?,
    attaching object: (any AnyObject & Sendable)?,
    _ done: @escaping @Sendable (Result<Session, any Error>) -> Void
  )

  func fork(
    _ past: PastSession,
    carriesWork: Bool,
    attaching object: (any AnyObject & Sendable)?,
    _ done: @escaping @Sendable (Result<Session, any Error>) -> Void
  )

  func share(
    _ session: SessionID,
    as role: ShareRole,
    until expires: WallTime?,
    _ done: @escaping StoreAnswer<StoredShare>
  )

  func revoke(_ share: StoredShare, _ done: @escaping StoreCompletion)

  func shares(_ query: ShareQuery, _ done: @escaping StoreAnswer<[StoredShare]>)
}

extension SessionHost: HostServices {}
