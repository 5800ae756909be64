package import FusionSessions
import Synchronization

/// The memory that the nodes of one process share, for ``SharedMemoryStore``.
///
/// Every change is committed before its call returns.
package final class SharedMemory: Sendable {
  /// The length of a lease.
  package static let leaseTime = Duration.seconds(4)

  struct Contents {
    var nodes: [Int64: Member] = [:]
    var lastNode: Int64 = 0
    var holdings: [SessionID: Holding] = [:]

    func isLiving(_ node: Int64?, at now: Duration) -> Bool {
      node.flatMap { nodes[$0] }.map { $0.expires > now } ?? false
    }
  }

  struct Member {
    let node: Node
    let joined: Duration
    var expires: Duration
  }

  /// The owner of a session, and its epoch.
  package struct Holding: Sendable {
    package var owner: Int64?
    /// The number of acquisitions; changes of earlier epochs are fenced off.
    package var epoch = 0
    /// The last use by the store's clock.
    package var used: Duration
  }

  let contents = Mutex(Contents())
  /// The stored sessions of all owners.
  package let sessions = MemorySessionStore()
  private let clock: @Sendable () -> Duration

  /// Creates a memory with the store's own clock; the nodes' clocks may differ.
  package init(clock: @escaping @Sendable () -> Duration) {
    self.clock = clock
  }

  var now: Duration { clock() }

  /// Returns the stored session.
  package func stored(_ id: SessionID) -> StoredSession? { sessions.stored(id) }

  /// The stored sessions' owners and epochs.
  package var holdings: [SessionID: Holding] { contents.withLock { $0.holdings } }

  /// The stored sessions' ids with the number of the owning node, or nil without an owner.
  package var owners: [SessionID: Int64?] {
    holdings.mapValues(\.owner)
  }

  /// The stored sessions as tools read them beside the nodes.
  package var archive: MemorySessionArchive {
    MemorySessionArchive(
      sessions,
      owner: { [self] id in
        contents.withLock { contents in
          contents.holdings[id]?.owner.flatMap { contents.nodes[$0]?.node }
        }
      }
    )
  }

  /// Gives a session to another node without the knowledge of its owner.
  package func give(_ id: SessionID, to owner: Int64?) {
    contents.withLock { $0.holdings[id]?.owner = owner }
  }

  /// Removes a session's owner without the owner's knowledge.
  package func free(_ id: SessionID) {
    contents.withLock { $0.holdings[id]?.owner = nil }
  }

  /// Appends to a session without a living owner, as a tool does; returns nil if nothing was appended.
  package func append(
    to id: SessionID,
    _ make: (StoredSession) -> StoreChange.Append?
  ) -> StoreChange.Append? {
    contents.withLock { contents in
      guard let holding = contents.holdings[id], !contents.isLiving(holding.owner, at: now),
        let append = sessions.stored(id).flatMap(make)
      else { return nil }
      // Changes in flight from an earlier owner are fenced off.
      contents.holdings[id]?.owner = nil
      contents.holdings[id]?.used = now
      let failure = Mutex<StoreError?>(nil)
      sessions.commit(.append(append)) { error in failure.withLock { $0 = error } }
      return failure.withLock { $0 } == nil ? append : nil
    }
  }

  /// The calendar time, which begins with the clock.
  package var time: WallTime { WallTime(milliseconds: 0) + now }
}
