package import FusionSessions
import Synchronization

/// A store in memory with the minimal behaviour that every store must have.
///
/// Every change is committed before `commit` returns.
package final class MemorySessionStore: SessionStore {
  fileprivate struct Contents {
    var sessions: [SessionID: StoredSession] = [:]
    /// All entries ever appended.
    var logs: [SessionID: [LogEntry]] = [:]
    var ended: [SessionID: StoreInventory.Ended] = [:]
    var shares = ShareTable()
    var isClosed = false
    let secret = (0..<32).map { _ in UInt8.random(in: 0...255) }
  }

  private let contents = Mutex(Contents())

  package init() {}

  package func inventory() throws(StoreError) -> StoreInventory {
    contents.withLock { contents in
      var inventory = StoreInventory()
      inventory.sessions = contents.sessions.values.map {
        StoreInventory.Item($0.id, $0.origin, used: $0.used)
      }
      inventory.ended = Array(contents.ended.values)
      inventory.secret = contents.secret
      return inventory
    }
  }

  package func load(_ id: SessionID, _ done: @escaping StoreAnswer<StoredSession?>) {
    done(.success(stored(id)))
  }

  package func find(_ name: SessionName, _ done: @escaping StoreAnswer<SessionID?>) {
    done(.success(contents.withLock { $0.find(name) }))
  }

  package func shares(_ query: ShareQuery, _ done: @escaping StoreAnswer<[StoredShare]>) {
    done(.success(contents.withLock { $0.shares.find(query) }))
  }

  /// Returns all interrupted sessions at once, in order of their ids.
  package func interrupted(
    after number: Int64,
    _ done: @escaping StoreAnswer<InterruptedSessions>
  ) {
    let found = contents.withLock { $0.sessions.values.filter(\.isAtWork) }
    let sessions = found.sorted { ($0.id.high, $0.id.low) < ($1.id.high, $1.id.low) }
      .map { InterruptedSessions.Item($0.id, viewModel: $0.viewModel) }
    done(.success(InterruptedSessions(sessions)))
  }

  /// Returns the next ten due alarms.
  package func alarms(
    dueBy time: WallTime,
    after last: DueAlarms.Item?,
    _ done: @escaping StoreAnswer<DueAlarms>
  ) {
    let alarms = contents.withLock { contents in
      contents.sessions.values.flatMap { session in
        session.alarms.map {
          DueAlarms.Item(session.id, viewModel: session.viewModel, $0.name, at: $0.time)
        }
      }
    }
    let due = alarms.filter { $0.time <= time && last.map($0.isAfter) != false }
      .sorted { $1.isAfter($0) }
    done(.success(DueAlarms(Array(due.prefix(10)), limit: 10)))
  }

  package func crashed(_ done: @escaping StoreAnswer<[CrashedSession]>) {
    let sessions = contents.withLock { Array($0.sessions.values) }
    done(
      .success(
        sessions.compactMap { session in
          guard let record = session.crashes, record.isRepeated else { return nil }
          return CrashedSession(session.id, viewModel: session.viewModel, record)
        }
      )
    )
  }

  package func commit(_ change: StoreChange, _ done: @escaping StoreCompletion) {
    done(contents.withLock { $0.isClosed ? .closed : $0.apply(change) })
  }

  package func close() {
    contents.withLock { $0.isClosed = true }
  }

  /// Returns the stored session.
  package func stored(_ id: SessionID) -> StoredSession? {
    var session = contents.withLock { $0.sessions[id] }
    session?.dropOutdatedKeys()
    return session
  }

  /// Returns all entries of a session, history included.
  package func log(of id: SessionID) -> [LogEntry] { contents.withLock { $0.logs[id] ?? [] } }

  /// Returns the reason why a session has ended.
  package func end(of id: SessionID) -> SessionEnd? { contents.withLock { $0.ended[id]?.end } }
}

extension MemorySessionStore.Contents {
  fileprivate func find(_ name: SessionName) -> SessionID? {
    sessions.first { $0.value.sessionName == name }?.key
  }

  fileprivate mutating func apply(_ change: StoreChange) -> StoreError? {
    switch change {
    case .create(let session):
      if let other = session.sessionName.flatMap(find), other != session.id {
        return .taken(by: other)
      }
      guard sessions[session.id] == nil else { return .conflict }
      sessions[session.id] = session
      ended[session.id] = nil
    case .append(let append):
      guard var session = sessions[append.session], session.sequence == append.after else {
        return .conflict
      }
      session.append(append)
      sessions[append.session] = session
      logs[append.session, default: []] += append.entries
    case .use(let times):
      for (id, time) in times {
        if let used = sessions[id]?.used { sessions[id]?.used = max(used, time) }
      }
    case .end(let ids, let end, let time):
      for id in ids where sessions.removeValue(forKey: id) != nil {
        ended[id] = StoreInventory.Ended(id, end, at: time)
      }
      shares.remove(of: ids)
    case .share(let share):
      guard sessions[share.session] != nil, shares.add(share) else { return .conflict }
    case .revoke(let id, _): shares.remove(id)
    case .crash(let crash):
      let record = CrashRecord.adding(crash, to: sessions[crash.session]?.crashes)
      sessions[crash.session]?.crashes = record
    case .forget(let time):
      ended = ended.filter { $0.value.time >= time }
    case .probe: break
    }
    return nil
  }
}

extension StoredSession {
  fileprivate mutating func append(_ append: StoreChange.Append) {
    entries += append.entries
    for entry in append.entries {
      used = max(used, entry.time)
      if let key = entry.key { keys.append(key) }
    }
    // Not for each entry: the function scans all keys.
    if keys.count > 2 * KeyProgress.limit { dropOutdatedKeys() }
    for (name, alarm) in append.alarms {
      alarms.removeAll { $0.name == name }
      if let alarm { alarms.append(alarm) }
    }
    if !append.alarms.isEmpty { alarms.sort() }
    if let head = append.head {
      self.head = head
      entries.removeAll { $0.sequence <= head.sequence }
    }
  }
}

extension DueAlarms.Item {
  /// Returns whether the alarm follows another in the order of stores.
  fileprivate func isAfter(_ other: Self) -> Bool {
    if time != other.time { return time > other.time }
    if session != other.session { return session > other.session }
    return other.name.lexicographicallyPrecedes(name)
  }
}
