import FusionMetrics
import FusionMicrohttpdServer
import FusionSQLiteSessions
import FusionSessions

/// What the service counts and shows beside what its parts count themselves.
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
      "Sessions that were woken at the start, as they had been interrupted at work."
    )
    lost = metrics.counter(
      "uifusion_sessions_lost_total",
      "Times that a session fell back to what was stored, as the store did not take more."
    )
    acquired = metrics.counter(
      "uifusion_sessions_acquired_total",
      "Sessions that this node made its own."
    )
    fenced = metrics.counter(
      "uifusion_sessions_fenced_total",
      "Times that the store refused what a session did, as another node may have it."
    )
    leasesLost = metrics.counter(
      "uifusion_leases_lost_total",
      "Times that this node's lease ran out before it was renewed."
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
      "What a commit takes, the disk included.",
      ["store": storage.kind]
    )
    failedCheckpoints = metrics.counter(
      "uifusion_store_checkpoint_failures_total",
      "Times that the write-ahead log could not be moved into the database."
    )
    metrics.gauge("uifusion_build_info", "Always 1.", ["version": uifusionVersion]) { 1 }
    metrics.showProcess()
  }

  func count(_ event: SessionHost.Event) {
    switch event {
    case .created: created.add()
    case .ended(_, .deleted): deleted.add()
    case .ended(_, .expired): expired.add()
    case .restored: restored.add()
    case .wokeInterrupted(let count, _): interrupted.add(count)
    case .lost: lost.add()
    case .acquired: acquired.add()
    case .fenced: fenced.add()
    case .leaseLost: leasesLost.add()
    case .interruptedUnknown, .unfit, .unreadable, .lacking, .damaged, .storeFailed, .storeHangs,
      .storeRecovered, .calendarSet, .gapDistrusted, .putToSleep, .joined, .leaseSilenced,
      .leaseRestored:
      break
    }
  }

  func count(_ commit: StoreCommit) {
    (commit.hasFailed ? notStored : stored).add()
    if !commit.hasFailed { entries.add(commit.entries) }
    commits.observe(commit.duration)
  }

  /// Shows the limits that hold, but for that of streams.
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
    metrics.gauge("uifusion_memory_limit_bytes", "Memory beyond which it is killed.") { memory }
  }

  func count(_ event: SQLiteSessionStore.Event) {
    if case .checkpointFailed = event { failedCheckpoints.add() }
  }

  /// Shows what the store's files take on the disk.
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

  /// Shows when the certificate ends.
  func show(_ renewal: CertificateRenewal) {
    metrics.gauge(
      "uifusion_tls_certificate_expiry_timestamp_seconds",
      "When the certificate ends, in Unix time."
    ) { [weak renewal] in Double(renewal?.notAfter ?? 0) }
  }

  /// Shows what they hold at the moment; they are not kept alive for it.
  func show(_ host: SessionHost, _ server: MicrohttpdServer) {
    metrics.gauge("uifusion_sessions", "Sessions that live.") { [weak host] in
      Double(host?.count ?? 0)
    }
    metrics.gauge("uifusion_sessions_awake", "Sessions that are in memory.") { [weak host] in
      Double(host?.awake ?? 0)
    }
    metrics.gauge(
      "uifusion_lease_age_seconds",
      "Since the last renewal of this node's lease that was granted; 0 where it has none."
    ) { [weak host] in (host?.leaseAge ?? .zero) / .seconds(1) }
    metrics.gauge("uifusion_memory_full", "1 while what takes more memory is refused, else 0.") {
      [weak host] in host?.memory.isFull == true ? 1 : 0
    }
    metrics.gauge("uifusion_queued_inputs", "Inputs that wait to be processed.") { [weak host] in
      Double(host?.waitingInputs ?? 0)
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
  /// In labels.
  fileprivate var kind: String {
    switch self {
    case .memory: "memory"
    case .folder: "folder"
    case .postgresql: "postgresql"
    }
  }
}
