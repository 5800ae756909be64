import Dispatch
package import FusionSessions

/// A store in a PostgreSQL database, which any number of nodes share.
///
/// Some connections commit, each all waiting changes to sessions that no other connection works on. One connection
/// reads and acquires, one renews the lease, and one does the upkeep.
package final class PostgreSQLSessionStore: SharedSessionStore {
  package typealias Options = PostgreSQLOptions
  package typealias Event = PostgreSQLEvent

  private let options: Options
  private let ownership = OwnershipTable()
  private let scheduler: CommitScheduler
  private let reader: ConnectionWorker
  private let lease: ConnectionWorker
  private let upkeep: ConnectionWorker
  private let reportDead: @Sendable (OrphanedSessions.DeadNode) -> Void

  /// Connects to the server, and creates the tables if missing.
  ///
  /// `observe` is called after each commit, and `report` with each event, on a thread of the store's; neither may
  /// block.
  package init(
    _ connectionString: String,
    _ options: Options = Options(),
    observe: @escaping @Sendable (StoreCommit) -> Void = { _ in },
    report: @escaping @Sendable (Event) -> Void = { _ in }
  ) throws(PostgreSQLOpenError) {
    let settings = try ConnectionSettings(connectionString)
    let warnings = Warnings(report)
    let connect = { @Sendable (timeout: Duration) throws(PostgreSQLError) in
      try Connection.toPrimary(
        of: settings,
        timeout: timeout,
        setup: Self.setup(options, timeout),
        warned: warnings.take
      )
    }
    let first: Connection
    do throws(PostgreSQLError) {
      first = try connect(options.timeout)
      try first.requireFitness(for: options)
    } catch {
      throw .unreachable("\(settings)", error.text)
    }
    try Schema.prepare(first, of: "\(settings)")
    self.options = options
    reportDead = { [ownership] dead in
      // The node notices the end of its own lease itself.
      guard dead.node.number != ownership.node else { return }
      report(.nodeDied(dead.node, sessions: dead.sessions))
    }
    let commitsWait = { @Sendable () throws(PostgreSQLError) in
      try connect(options.leasePatience).hasCommitsWaiting()
    }
    let health = Health(commitsWait: { (try? commitsWait()) ?? false }, report)
    let makeWorker = { (name: String, connection: Connection?) in
      ConnectionWorker(name, connection, health: health) { () throws(PostgreSQLError) in
        try connect(options.timeout)
      }
    }
    lease = ConnectionWorker("lease", health: health) { () throws(PostgreSQLError) in
      try connect(options.leasePatience)
    }
    reader = makeWorker("reader", first)
    upkeep = makeWorker("upkeep", nil)
    let history = HistoryTrimmer(upkeep, options, ownership)
    scheduler = CommitScheduler(
      writers: (0..<options.writers).map { makeWorker("writer-\($0)", nil) },
      reader: reader,
      ownership,
      options,
      observe: observe,
      trim: history.trim
    )
  }

  // No statement timeout, which might cut a commit short; but a lock timeout below our own timeout, so that a wait
  // for a row leaves nothing in doubt. The server ends the transaction of a node that died or hangs, as others
  // wait for its rows. Plans must use indexes: the statistics of tables that just begin to grow would mislead.
  private static func setup(_ options: Options, _ timeout: Duration) -> String {
    let durability = options.isRelaxed ? "'off'" : PostgreSQLOptions.durable
    return """
      SET statement_timeout = 0; SET lock_timeout = '\(min(Int(timeout / .milliseconds(2)), 1 << 30))ms';
      SET idle_in_transaction_session_timeout = '3s'; SET tcp_keepalives_idle = 5;
      SET tcp_keepalives_interval = 2; SET tcp_keepalives_count = 3; SET tcp_user_timeout = '8s';
      SET default_transaction_isolation = 'read committed'; SET jit = off;
      SET plan_cache_mode = 'force_generic_plan'; SET enable_seqscan = off;
      SET enable_hashjoin = off; SET enable_mergejoin = off;
      SELECT set_config('synchronous_commit', \(durability), FALSE)
      """
  }
}

// MARK: Sessions

extension PostgreSQLSessionStore {
  package func inventory() throws(StoreError) -> StoreInventory {
    guard !scheduler.isClosed else { throw .closed }
    // Over the connection that the store was opened with: another one may not be free yet.
    let result = reader.queue.sync { reader.result(Schema.secret) }
    var inventory = StoreInventory()
    inventory.secret = try result.get()
    return inventory
  }

  package func load(_ id: SessionID, _ done: @escaping StoreAnswer<StoredSession?>) {
    read([id], done) { (connection) throws(PostgreSQLError) in
      try connection.inSnapshot(ReadStatements.read(id, in: connection))
    }
  }

  package func find(_ name: SessionName, _ done: @escaping StoreAnswer<SessionID?>) {
    read([], done) { (connection) throws(PostgreSQLError) in
      try CreateStatements.find(name, in: connection)
    }
  }

  package func shares(_ query: ShareQuery, _ done: @escaping StoreAnswer<[StoredShare]>) {
    read([], done) { (connection) throws(PostgreSQLError) in
      try ShareStatements.find(query, in: connection)
    }
  }

  private func read<Found: Sendable>(
    _ ids: [SessionID],
    _ done: @escaping StoreAnswer<Found>,
    _ body: @escaping @Sendable (Connection) throws(PostgreSQLError) -> Found
  ) {
    scheduler.read(ids, closed: { done(.failure(.closed)) }) { done($0.result(body)) }
  }

  package func acquire(_ id: SessionID, _ done: @escaping StoreAnswer<Acquisition>) {
    let node = ownership.node
    scheduler.read([id], closed: { done(.failure(.closed)) }) { [ownership, reportDead] worker in
      let outcome = worker.result { (connection) throws(PostgreSQLError) in
        try AcquireStatements.acquire(id, as: node, in: connection, reportDead)
      }
      switch outcome {
      case .success(.taken(let epoch)):
        ownership.hold(id, epoch, as: node, HistorySpans(after: nil))
        let session = worker.result { (connection) throws(PostgreSQLError) in
          try ReadStatements.read(id, in: connection)
        }
        done(session.map { $0.map { .acquired($0) } ?? .unknown })
      case .success(.elsewhere(let other, let origin)):
        done(.success(.elsewhere(other, origin)))
      case .success(.ended(let end)): done(.success(.ended(end)))
      case .success(.unknown): done(.success(.unknown))
      case .success(.fenced): done(.failure(.fenced))
      case .failure(let error): done(.failure(error))
      }
    }
  }

  package func commit(_ change: StoreChange, _ done: @escaping StoreCompletion) {
    switch change {
    case .create(let session): scheduler.add(.create(session), of: [session.id], done)
    case .append(let append): scheduler.add(.append(append), of: [append.session], done)
    case .use(let times):
      let node = ownership.node
      scheduler.change(Array(times.keys), done) { (connection) throws(PostgreSQLError) in
        try UseStatements.use(times, as: node, in: connection)
        return nil
      }
    case .end(let ids, let end, let time):
      let node = ownership.node
      scheduler.change(ids, done) { [ownership] (connection) throws(PostgreSQLError) in
        let sessions = Set(ids).map { (id: $0, epoch: ownership.epoch(of: $0, as: node)) }
        let error = try EndStatements.end(sessions, as: node, end, at: time, in: connection)
        if error == nil { ownership.drop(ids, as: node) }
        return error
      }
    case .share(let share):
      scheduler.change([share.session], done) { (connection) throws(PostgreSQLError) in
        try ShareStatements.add(share, in: connection) ? nil : .conflict
      }
    case .revoke(let id, let session):
      scheduler.change([session], done) { (connection) throws(PostgreSQLError) in
        try ShareStatements.revoke(id, in: connection)
        return nil
      }
    case .crash(let crash):
      // Without the session's turn: its process is about to end.
      scheduler.change([], done) { (connection) throws(PostgreSQLError) in
        try CrashStatements.add(crash, in: connection)
        return nil
      }
    case .forget(let time):
      scheduler.change([], done) { (connection) throws(PostgreSQLError) in
        try EndStatements.forget(before: time, in: connection)
        return nil
      }
    case .probe:
      scheduler.change([], done) { [lease] (connection) throws(PostgreSQLError) in
        try UseStatements.probe(connection)
        lease.succeeded()
        return nil
      }
    }
  }

  package func release(_ idle: [SessionID: Duration], _ done: @escaping StoreCompletion) {
    let node = ownership.node
    scheduler.change(Array(idle.keys), done) { [ownership] (connection) throws(PostgreSQLError) in
      let ids = Array(idle.keys)
      var epochs = Dictionary(uniqueKeysWithValues: zip(ids, ownership.epochs(of: ids, as: node)))
      // Asks first for the epoch of a session acquired in doubt: a late release without it could release a newer
      // acquisition by this node.
      let doubtful = ids.filter { epochs[$0] == OwnershipTable.unknownEpoch }
      if !doubtful.isEmpty {
        let found = try UseStatements.epochs(of: doubtful, as: node, in: connection)
        epochs.merge(found) { $1 }
      }
      let sessions = epochs.map { (id: $0, epoch: $1, idle: idle[$0] ?? .zero) }
      try UseStatements.release(sessions, as: node, in: connection)
      ownership.drop(idle.keys, as: node)
      return nil
    }
  }

  /// Waits until all changes are committed, unless a `done` is the caller: then the store closes after it returns.
  package func close() {
    scheduler.close { [lease, upkeep, ownership] in
      lease.queue.sync {
        // If this fails, the lease expires by itself.
        if let begun = ownership.lease {
          _ = lease.result { (connection) throws(PostgreSQLError) in
            try LeaseStatements.leave(begun, in: connection)
          }
        }
        lease.close()
      }
      upkeep.queue.sync { upkeep.close() }
    }
  }
}

// MARK: Nodes, and sessions without an owner

extension PostgreSQLSessionStore {
  package func join(_ done: @escaping StoreAnswer<Node>) {
    ask(lease, done) { [lease, options, ownership] (connection) throws(PostgreSQLError) in
      let begun = try LeaseStatements.join(
        as: .init(name: options.name, address: options.address, time: options.leaseTime),
        after: ownership.lease,
        attempted: ownership.attempted,
        in: connection
      ) { ownership.attempted = $0 }
      lease.succeeded()
      ownership.begin(begun)
      return Node(begun.number, name: options.name, address: options.address)
    }
  }

  package func renew(_ done: @escaping StoreAnswer<Bool>) {
    ask(lease, done) { [lease, options, ownership] (connection) throws(PostgreSQLError) in
      guard let begun = ownership.lease,
        try LeaseStatements.renew(begun, for: options.leaseTime, in: connection)
      else { return false }
      lease.succeeded()
      return true
    }
  }

  package func nodes(_ done: @escaping StoreAnswer<[NodeStatus]>) {
    ask(upkeep, done, LeaseStatements.nodes)
  }

  package func livingNodes(_ done: @escaping StoreAnswer<[Node]>) {
    ask(upkeep, done, LeaseStatements.livingNodes)
  }

  package func expire(
    unusedFor idleTime: Duration,
    limit: Int,
    _ done: @escaping StoreAnswer<Int>
  ) {
    ask(upkeep, done) { [reportDead] (connection) throws(PostgreSQLError) in
      try OrphanedSessions.free(in: connection, reportDead)
      return try EndStatements.expire(unusedFor: idleTime, limit: limit, in: connection)
    }
  }

  package func interrupted(
    after number: Int64,
    _ done: @escaping StoreAnswer<InterruptedSessions>
  ) {
    ask(upkeep, done) { [reportDead] (connection) throws(PostgreSQLError) in
      try OrphanedSessions.free(in: connection, reportDead)
      return try ReadStatements.interrupted(after: number, in: connection)
    }
  }

  package func alarms(
    dueBy time: WallTime,
    after last: DueAlarms.Item?,
    _ done: @escaping StoreAnswer<DueAlarms>
  ) {
    let node = ownership.node
    ask(upkeep, done) { (connection) throws(PostgreSQLError) in
      try AlarmStatements.due(by: time, after: last, for: node, in: connection)
    }
  }

  package func crashed(_ done: @escaping StoreAnswer<[CrashedSession]>) {
    ask(upkeep, done, CrashStatements.repeated)
  }

  private func ask<Found: Sendable>(
    _ worker: ConnectionWorker,
    _ done: @escaping StoreAnswer<Found>,
    _ body: @escaping @Sendable (Connection) throws(PostgreSQLError) -> Found
  ) {
    worker.queue.async { [scheduler] in
      guard !scheduler.isClosed else { return done(.failure(.closed)) }
      done(worker.result(body))
    }
  }

  /// Waits until all due history is dropped.
  package func tidy() {
    scheduler.wait()
    upkeep.queue.sync {}
  }
}

// MARK: Connection strings

extension PostgreSQLSessionStore {
  /// Returns whether a text begins as a connection string does; schemes ignore case (RFC 3986 §3.1).
  package static func isConnectionString(_ text: String) -> Bool {
    ConnectionSettings.schemes.contains { text.lowercased().hasPrefix($0) }
  }

  /// Returns a connection string without its password.
  package static func description(of connectionString: String) -> String {
    (try? ConnectionSettings(connectionString))?.description ?? "postgres://…"
  }
}
