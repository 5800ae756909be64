package import FusionSessions
import Synchronization

/// The memory that the nodes of one process share, for ``SharedMemoryStore``.
///
/// Everything is committed at once, before a call returns.
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

  /// The owner of a session.
  package struct Holding: Sendable {
    package var owner: Int64?
    /// Grows with each acquisition: what its owner did before is fenced off.
    package var epoch = 0
    /// The last use by the store's clock.
    package var used: Duration
  }

  let contents = Mutex(Contents())
  /// The stored sessions, whoever has them.
  package let sessions = MemorySessionStore()
  private let clock: @Sendable () -> Duration

  /// The store's clock is nobody else's: those of the nodes may say what they like.
  package init(clock: @escaping @Sendable () -> Duration) {
    self.clock = clock
  }

  var now: Duration { clock() }

  /// Returns the stored session.
  package func stored(_ id: SessionID) -> StoredSession? { sessions.stored(id) }

  /// The sessions that are stored, and their owners.
  package var holdings: [SessionID: Holding] { contents.withLock { $0.holdings } }

  /// The session ids with the number of the node that owns each; nil where nobody does.
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

  /// Gives a session to another node, behind the back of its owner.
  package func give(_ id: SessionID, to owner: Int64?) {
    contents.withLock { $0.holdings[id]?.owner = owner }
  }

  /// A session is nobody's from now on, whoever thinks that he has it.
  package func free(_ id: SessionID) {
    contents.withLock { $0.holdings[id]?.owner = nil }
  }

  /// Appends to a session that no living node has, as a tool does; returns nil where nothing was appended.
  package func append(
    to id: SessionID,
    _ make: (StoredSession) -> StoreChange.Append?
  ) -> StoreChange.Append? {
    contents.withLock { contents in
      guard let holding = contents.holdings[id], !contents.isLiving(holding.owner, at: now),
        let append = sessions.stored(id).flatMap(make)
      else { return nil }
      // What an earlier owner has on its way is fenced off.
      contents.holdings[id]?.owner = nil
      contents.holdings[id]?.used = now
      let failure = Mutex<StoreError?>(nil)
      sessions.commit(.append(append)) { error in failure.withLock { $0 = error } }
      return failure.withLock { $0 } == nil ? append : nil
    }
  }

  /// The time of the calendar, which begins with the clock.
  package var time: WallTime { WallTime(milliseconds: 0) + now }
}
