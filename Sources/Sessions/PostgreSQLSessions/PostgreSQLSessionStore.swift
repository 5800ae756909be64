import Dispatch
package import FusionSessions

/// A store in a PostgreSQL database, which any number of nodes share.
///
/// Some connections commit, each of them all changes that wait, as far as they concern sessions that no other
/// connection is at; one reads and acquires, one renews the lease, and one tidies.
package final class PostgreSQLSessionStore: SharedSessionStore {
  let options: Options
  let holdings = OwnershipTable()
  let workshop: CommitScheduler
  private let lease: ConnectionWorker
  private let tidying: ConnectionWorker
  private let history: History
  private let tell: @Sendable (Orphans.Dead) -> Void

  /// Connects to the server, and makes the tables where there are none.
  ///
  /// `observe` is told of each commit, and `report` of what is not as it should be, on a thread of
  /// the store's; neither may block.
  package init(
    _ connectionString: String,
    _ options: Options = Options(),
    observe: @escaping @Sendable (StoreCommit) -> Void = { _ in },
    report: @escaping @Sendable (Event) -> Void = { _ in }
  ) throws(PostgreSQLOpenError) {
    let settings = try ConnectionSettings(connectionString)
    let warnings = Warnings(report)
    let connect = { @Sendable (patience: Duration) throws(PostgreSQLError) in
      try Connection(
        settings,
        patience: patience,
        setup: Self.setup(options, patience),
        warned: warnings.take
      )
    }
    let first: Connection
    do throws(PostgreSQLError) {
      first = try connect(options.patience)
    } catch {
      throw .unreachable("\(settings)", error.text)
    }
    guard first.takesChanges else { throw .standby("\(settings)") }
    try Schema.prepare(first, of: "\(settings)")
    self.options = options
    tell = { [holdings] dead in
      // A node knows by itself of its own.
      guard dead.node.number != holdings.node else { return }
      report(.nodeDied(dead.node, sessions: dead.sessions))
    }
    let commitsWait = { @Sendable () throws(PostgreSQLError) in
      try Standbys.areAwaited(in: connect(options.leasePatience))
    }
    let health = Health(commitsWait: { (try? commitsWait()) ?? false }, report)
    let line = { (name: String, connection: Connection?) in
      ConnectionWorker(name, connection, health: health) { () throws(PostgreSQLError) in
        try connect(options.patience)
      }
    }
    lease = ConnectionWorker("lease", health: health) { () throws(PostgreSQLError) in
      try connect(options.leasePatience)
    }
    tidying = line("tidying", nil)
    history = History(tidying, options, holdings)
    workshop = CommitScheduler(
      writers: (0..<options.writers).map { line("writer-\($0)", nil) },
      reader: line("reader", first),
      holdings,
      options,
      observe: observe,
      trim: history.trim
    )
  }

  /// What `synchronous_commit` has to be for a commit to be on the disk.
  static let durable = """
    CASE current_setting('synchronous_commit') WHEN 'off' THEN 'on'
      ELSE current_setting('synchronous_commit') END
    """

  // A commit is never cut short by the server, which might have done half of it; waiting for a row ends
  // before our patience does, and so nothing is in doubt. The server ends the transaction of a node that is
  // gone, or that stands still: others wait for its rows. Plans go by indexes: what is known of tables that have
  // just begun to grow would lead elsewhere.
  private static func setup(_ options: Options, _ patience: Duration) -> String {
    let durability =
      options.isRelaxed ? "'off'" : durable
    return """
      SET statement_timeout = 0; SET lock_timeout = '\(Int(patience / .milliseconds(2)))ms';
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
    guard !workshop.isClosed else { throw .closed }
    let result = tidying.queue.sync {
      tidying.result { (connection) throws(PostgreSQLError) in
        try Schema.secret(connection)
      }
    }
    var inventory = StoreInventory()
    inventory.secret = try result.get()
    return inventory
  }

  package func load(
    _ id: SessionID,
    _ done: @escaping @Sendable (Result<StoredSession?, StoreError>) -> Void
  ) {
    workshop.read([id], closed: { done(.failure(.closed)) }) { line in
      done(
        line.result { (connection) throws(PostgreSQLError) in
          try connection.run("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
          let session = try Reading.read(id, in: connection)
          try connection.run("COMMIT")
          return session
        }
      )
    }
  }

  package func acquire(
    _ id: SessionID,
    _ done: @escaping @Sendable (Result<Acquisition, StoreError>) -> Void
  ) {
    let node = holdings.node
    workshop.read([id], closed: { done(.failure(.closed)) }) { [holdings, tell] line in
      let outcome = line.result { (connection) throws(PostgreSQLError) in
        try Acquiring.acquire(id, as: node, in: connection, tell)
      }
      switch outcome {
      case .success(.taken(let epoch)):
        holdings.hold(id, epoch, as: node, HistorySpans(after: nil))
        let session = line.result { (connection) throws(PostgreSQLError) in
          try Reading.read(id, in: connection)
        }
        done(session.map { $0.map { .mine($0) } ?? .unknown })
      case .success(.elsewhere(let other)): done(.success(.elsewhere(other)))
      case .success(.ended(let end)): done(.success(.ended(end)))
      case .success(.unknown): done(.success(.unknown))
      case .success(.fenced): done(.failure(.fenced))
      case .failure(let error): done(.failure(error))
      }
    }
  }

  package func commit(_ change: StoreChange, _ done: @escaping @Sendable (StoreError?) -> Void) {
    switch change {
    case .create(let session): workshop.add(.create(session), of: [session.id], done)
    case .append(let append): workshop.add(.append(append), of: [append.session], done)
    case .use(let times):
      let node = holdings.node
      workshop.change(Array(times.keys), done) { (connection) throws(PostgreSQLError) in
        try Uses.use(times, as: node, in: connection)
        return nil
      }
    case .end(let ids, let end, let time):
      let node = holdings.node
      workshop.change(ids, done) { [holdings] (connection) throws(PostgreSQLError) in
        let sessions = Set(ids).map { (id: $0, epoch: holdings.epoch(of: $0, as: node)) }
        let error = try Endings.end(sessions, as: node, end, at: time, in: connection)
        if error == nil { holdings.drop(ids, as: node) }
        return error
      }
    case .forget(let time):
      workshop.change([], done) { (connection) throws(PostgreSQLError) in
        try Endings.forget(before: time, in: connection)
        return nil
      }
    case .probe:
      workshop.change([], done) { [lease] (connection) throws(PostgreSQLError) in
        try Uses.probe(connection)
        lease.stood()
        return nil
      }
    }
  }

  package func release(
    _ idle: [SessionID: Duration],
    _ done: @escaping @Sendable (StoreError?) -> Void
  ) {
    let node = holdings.node
    workshop.change(Array(idle.keys), done) { [holdings] (connection) throws(PostgreSQLError) in
      let sessions = idle.map {
        (id: $0.key, epoch: holdings.epoch(of: $0.key, as: node), idle: $0.value)
      }
      try Uses.release(sessions, as: node, in: connection)
      holdings.drop(idle.keys, as: node)
      return nil
    }
  }

  /// Waits until all is committed, unless a `done` calls it: then that comes after it returns.
  package func close() {
    workshop.close { [lease, tidying, holdings] in
      lease.queue.sync {
        // Without it the lease runs out by itself.
        if let begun = holdings.lease {
          _ = lease.result { (connection) throws(PostgreSQLError) in
            try Leases.leave(begun, in: connection)
          }
        }
        lease.close()
      }
      tidying.queue.sync { tidying.close() }
    }
  }
}

// MARK: Nodes, and what nobody has

extension PostgreSQLSessionStore {
  package func join(_ done: @escaping @Sendable (Result<Node, StoreError>) -> Void) {
    ask(lease, done) { [lease, options, holdings] (connection) throws(PostgreSQLError) in
      let begun = try Leases.join(
        as: .init(name: options.name, address: options.address, time: options.leaseTime),
        after: holdings.lease,
        attempted: holdings.attempted,
        in: connection
      ) { holdings.attempted = $0 }
      lease.stood()
      holdings.begin(begun)
      return Node(begun.number, name: options.name, address: options.address)
    }
  }

  package func renew(_ done: @escaping @Sendable (Result<Bool, StoreError>) -> Void) {
    ask(lease, done) { [lease, options, holdings] (connection) throws(PostgreSQLError) in
      guard let begun = holdings.lease,
        try Leases.renew(begun, for: options.leaseTime, in: connection)
      else { return false }
      lease.stood()
      return true
    }
  }

  package func nodes(_ done: @escaping @Sendable (Result<[NodeStatus], StoreError>) -> Void) {
    ask(tidying, done) { (connection) throws(PostgreSQLError) in
      try Leases.nodes(in: connection)
    }
  }

  package func living(_ done: @escaping @Sendable (Result<[Node], StoreError>) -> Void) {
    ask(tidying, done) { (connection) throws(PostgreSQLError) in
      try Leases.living(in: connection)
    }
  }

  package func expire(
    unusedFor idleTime: Duration,
    limit: Int,
    _ done: @escaping @Sendable (Result<Int, StoreError>) -> Void
  ) {
    ask(tidying, done) { [tell] (connection) throws(PostgreSQLError) in
      try Orphans.free(in: connection, tell)
      return try Endings.expire(unusedFor: idleTime, limit: limit, in: connection)
    }
  }

  package func interrupted(
    after number: Int64,
    _ done: @escaping @Sendable (Result<InterruptedSessions, StoreError>) -> Void
  ) {
    ask(tidying, done) { [tell] (connection) throws(PostgreSQLError) in
      try Orphans.free(in: connection, tell)
      return try Reading.interrupted(after: number, in: connection)
    }
  }

  private func ask<Found: Sendable>(
    _ line: ConnectionWorker,
    _ done: @escaping @Sendable (Result<Found, StoreError>) -> Void,
    _ body: @escaping @Sendable (Connection) throws(PostgreSQLError) -> Found
  ) {
    line.queue.async { [workshop] in
      guard !workshop.isClosed else { return done(.failure(.closed)) }
      done(line.result(body))
    }
  }

  /// Waits until all history is dropped that is due.
  package func tidy() {
    workshop.wait()
    tidying.queue.sync {}
  }
}
