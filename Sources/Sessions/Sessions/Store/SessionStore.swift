/// A function that is called with the result of a search in a store.
package typealias StoreAnswer<Found> = @Sendable (Result<Found, StoreError>) -> Void

/// A function that is told the reason why a change is not committed; nil if it is.
package typealias StoreCompletion = @Sendable (StoreError?) -> Void

/// A store that keeps sessions beyond the process.
///
/// A store is a target of this package: none can be added from outside. `CONTRIBUTING.md` lists the steps.
///
/// Changes are committed in the order in which they come, each as a whole or not at all. The caller
/// shows nothing of a change before `done` has said that the change is committed.
///
/// The functions do not wait. `done` is called exactly once, on any thread, for the changes of one
/// session in their order; it must not block.
package protocol SessionStore: Sendable {
  /// Lists the sessions, once at the start; if nodes share the store, only its secret is of use.
  func inventory() throws(StoreError) -> StoreInventory

  /// Reads all that is kept of a session, after every change that was handed over before; nil if there is
  /// no such session.
  func load(_ id: SessionID, _ done: @escaping StoreAnswer<StoredSession?>)

  /// Finds the session with a name, whichever process it belongs to; nil if there is none.
  func find(_ name: SessionName, _ done: @escaping StoreAnswer<SessionID?>)

  /// Finds shares, made by any process; a session's shares come in the order of their creation.
  func shares(_ query: ShareQuery, _ done: @escaping StoreAnswer<[StoredShare]>)

  /// Makes a session this process's own, and reads it, after every change that was handed over before.
  ///
  /// A session that is this process's already is read anew. Earlier changes that are not committed before it is read
  /// never will be.
  func acquire(_ id: SessionID, _ done: @escaping StoreAnswer<Acquisition>)

  /// Releases sessions of this process, given how long ago each was used last; other nodes' sessions stay as they are.
  ///
  /// Earlier changes are committed first.
  func release(_ idle: [SessionID: Duration], _ done: @escaping StoreCompletion)

  /// Finds sessions whose newest entry says that something was running, some at a time, in an order of
  /// the store's own; if nodes share it, only those that no living node has.
  ///
  /// The first are those after 0, the next ones those after ``InterruptedSessions/next``.
  func interrupted(after number: Int64, _ done: @escaping StoreAnswer<InterruptedSessions>)

  /// Finds alarms that are due by a time, some at a time, in order of time, session and name; if nodes share the
  /// store, only those of sessions that no other living node has.
  ///
  /// The first are those after nil, the next ones those after ``DueAlarms/next``.
  func alarms(
    dueBy time: WallTime,
    after last: DueAlarms.Item?,
    _ done: @escaping StoreAnswer<DueAlarms>
  )

  /// Finds the sessions at whose work processes have crashed repeatedly, whichever process they belong to.
  func crashed(_ done: @escaping StoreAnswer<[CrashedSession]>)

  /// Commits a change; nil says that it is committed, an error that nothing of it is.
  ///
  /// Only ``StoreError/inDoubt`` leaves open which of the two is true.
  func commit(_ change: StoreChange, _ done: @escaping StoreCompletion)

  /// Commits what was handed over, and releases what the store holds, a node's sessions included; later changes fail.
  func close()
}

/// Defaults for a store that one process has alone, where all sessions are that process's own, and no crash is kept.
extension SessionStore {
  package func crashed(_ done: @escaping StoreAnswer<[CrashedSession]>) { done(.success([])) }

  package func acquire(_ id: SessionID, _ done: @escaping StoreAnswer<Acquisition>) {
    load(id) { result in done(result.map { stored in stored.map { .acquired($0) } ?? .unknown }) }
  }

  package func release(_ idle: [SessionID: Duration], _ done: @escaping StoreCompletion) {
    done(nil)
  }
}
