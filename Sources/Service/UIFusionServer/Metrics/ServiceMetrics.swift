import FusionMetrics
import FusionMicrohttpdServer
import FusionSQLiteSessions
import FusionSessions

/// The metrics of sessions, stores, limits and the certificate; other parts have their own.
struct ServiceMetrics: Sendable {
  let metrics = Metrics()
  private let created: Counter
  private let deleted: Counter
  private let expired: Counter
  private let restored: Counter
  private let interrupted: Counter
  private let lost: Counter
  private let acquired: Counter
  private let fenced: Counter
  private let leasesLost: Counter
  private let stored: Counter
  private let notStored: Counter
  private let entries: Counter
  private let commits: Histogram
  private let failedCheckpoints: Counter
  private let lateness: Histogram
  private let slowTurns: SlowTurnMetrics
  private let messages: [SessionEvent.MessageStep: Counter]

  init(_ storage: SessionStorage) {
    created = metrics.counter("uifusion_sessions_created_total", "Sessions that were created.")
    let ended = ("uifusion_sessions_ended_total", "Sessions that ended, by reason.")
    deleted = metrics.counter(ended.0, ended.1, ["reason": "deleted"])
    expired = metrics.counter(ended.0, ended.1, ["reason": "expired"])
    restored = metrics.counter(
      "uifusion_sessions_restored_total",
      "Sessions that were read from the store."
    )
    interrupted = metrics.counter(
      "uifusion_sessions_interrupted_total",
      "Interrupted sessions that were woken at the start."
    )
    lost = metrics.counter(
      "uifusion_sessions_lost_total",
      "Sessions that were rolled back because a commit failed."
    )
    acquired = metrics.counter(
      "uifusion_sessions_acquired_total",
      "Sessions that this node has acquired."
    )
    fenced = metrics.counter(
      "uifusion_sessions_fenced_total",
      "Commits that the store refused because another node may own the session."
    )
    leasesLost = metrics.counter(
      "uifusion_leases_lost_total",
      "Leases of this node that expired before they were renewed."
    )
    let changes = ("uifusion_store_commits_total", "Commits of the store, by result.")
    stored = metrics.counter(changes.0, changes.1, ["result": "stored"])
    notStored = metrics.counter(changes.0, changes.1, ["result": "failed"])
    entries = metrics.counter(
      "uifusion_store_entries_total",
      "Turns that were stored; one commit stores all that wait."
    )
    commits = metrics.histogram(
      "uifusion_store_commit_duration_seconds",
      "The duration of a commit, the disk included.",
      ["store": storage.kind]
    )
    failedCheckpoints = metrics.counter(
      "uifusion_store_checkpoint_failures_total",
      "Failed attempts to move the write-ahead log into the database."
    )
    lateness = metrics.histogram(
      "uifusion_alarm_lateness_seconds",
      "The time from when an alarm was due until its turn."
    )
    slowTurns = SlowTurnMetrics(metrics)
    messages = Dictionary(
      uniqueKeysWithValues: SessionEvent.MessageStep.allCases.map { [metrics] step in
        let help =
          "Messages of sessions, by step, as this process has counted them."
        return (step, metrics.counter("uifusion_messages_total", help, ["step": step.rawValue]))
      }
    )
    metrics.gauge("uifusion_build_info", "Always 1.", ["version": uifusionVersion]) { 1 }
    metrics.showProcess()
  }

  /// Counts an event of the session host.
  func count(_ event: SessionEvent) {
    switch event {
    case .created, .forked: created.add()
    case .ended(_, .deleted, _): deleted.add()
    case .ended(_, .expired, _): expired.add()
    case .restored: restored.add()
    case .wokeInterrupted(let count, _): interrupted.add(count)
    case .lost: lost.add()
    case .rang(_, let late): lateness.observe(late)
    case .slowTurn(_, let viewModel, let slow): slowTurns.count(slow, of: viewModel)
    case .message(_, let step, _): messages[step]?.add()
    case .acquired: acquired.add()
    case .fenced: fenced.add()
    case .leaseLost: leasesLost.add()
    case .interruptedUnknown, .alarmsUnknown, .invalid, .unreadable, .changed, .dropped, .setAside,
      .resumed,
      .damaged, .storeFailed,
      .storeHangs, .storeRecovered, .calendarSet, .gapDistrusted, .putToSleep, .joined,
      .leaseSilenced,
      .leaseRestored:
      break
    }
  }

  /// Counts a commit.
  func count(_ commit: StoreCommit) {
    (commit.hasFailed ? notStored : stored).add()
    if !commit.hasFailed { entries.add(commit.entries) }
    commits.observe(commit.duration)
  }

  /// Adds gauges of the effective limits, except that of streams.
  func show(_ configuration: Configuration, connections: Int) {
    for (name, help, limit) in [
      ("uifusion_sessions_limit", "Sessions that there may be.", configuration.maxSessions),
      ("uifusion_connections_limit", "Connections that are served.", connections),
      (
        "uifusion_queued_inputs_limit", "Inputs that may wait in one session.",
        configuration.maxQueuedInputs
      ),
      ("uifusion_request_body_limit_bytes", "A request's body.", configuration.maxBody),
    ] {
      metrics.gauge(name, help) { Double(limit) }
    }
    let memory = MemoryLimit.own.bytes.map { Double($0) } ?? .infinity
    metrics.gauge("uifusion_memory_limit_bytes", "The memory limit of the control group.") {
      memory
    }
  }

  /// Counts an event of a store in a folder.
  func count(_ event: SQLiteSessionStore.Event) {
    if case .checkpointFailed = event { failedCheckpoints.add() }
  }

  /// Adds gauges of the sizes of the store's files.
  func show(_ store: SQLiteSessionStore) {
    metrics.gauge("uifusion_store_bytes", "The size of the store's database.") { [weak store] in
      Double(store?.fileSizes.database ?? 0)
    }
    metrics.gauge(
      "uifusion_store_log_bytes",
      "The size of the write-ahead log of the store's database."
    ) { [weak store] in
      Double(store?.fileSizes.log ?? 0)
    }
  }

  /// Adds a gauge of the certificate's end.
  func show(_ renewal: CertificateRenewal) {
    metrics.gauge(
      "uifusion_tls_certificate_expiry_timestamp_seconds",
      "When the certificate ends, in Unix time."
    ) { [weak renewal] in Double(renewal?.notAfter ?? 0) }
  }

  /// Adds gauges of the host and the server, which are not retained.
  func show(_ host: SessionHost, _ server: MicrohttpdServer) {
    metrics.gauge("uifusion_sessions", "Sessions that live.") { [weak host] in
      Double(host?.directory.count ?? 0)
    }
    metrics.gauge("uifusion_sessions_awake", "Sessions that are in memory.") { [weak host] in
      Double(host?.directory.awake ?? 0)
    }
    metrics.gauge("uifusion_sessions_with_alarms", "Sessions that have alarms or messages.") {
      [weak host] in Double(host?.directory.sessionsWithAlarms ?? 0)
    }
    metrics.gauge(
      "uifusion_sessions_set_aside",
      "Sessions that have ended the process twice, and wait to be resumed."
    ) { [weak host] in Double(host?.setAside.count ?? 0) }
    metrics.gauge(
      "uifusion_lease_age_seconds",
      "Time since the last renewal of this node's lease; 0 if it has none."
    ) { [weak host] in (host?.ownership.age ?? .zero) / .seconds(1) }
    metrics.gauge(
      "uifusion_memory_full",
      "1 while requests that need more memory are refused, else 0."
    ) {
      [weak host] in host?.memory.isFull == true ? 1 : 0
    }
    metrics.gauge("uifusion_queued_inputs", "Inputs that wait to be processed.") { [weak host] in
      Double(host?.directory.waitingInputs ?? 0)
    }
    metrics.gauge("uifusion_connections", "Connections that are open.") { [weak server] in
      Double(server?.connections ?? 0)
    }
    metrics.gauge("uifusion_threads", "Threads that serve connections.") { [weak server] in
      Double(server?.connectionsByThread.count ?? 0)
    }
  }
}

extension SessionStorage {
  /// The value of the label `store`.
  fileprivate var kind: String {
    switch self {
    case .memory: "memory"
    case .folder: "folder"
    case .postgresql: "postgresql"
    }
  }
}
