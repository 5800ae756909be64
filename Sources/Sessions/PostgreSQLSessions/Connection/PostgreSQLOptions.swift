package import FusionSessions

/// The settings of a store in a database.
package struct PostgreSQLOptions: Sendable {
  /// The name by which other nodes, and people, know this one.
  package var name = ""
  /// The address at which other nodes reach this one; empty if they cannot.
  package var address = ""
  /// Whether a commit is acknowledged before it is on the server's disk.
  package var isRelaxed = false
  /// The length of a lease.
  package var leaseTime = Duration.seconds(4)
  /// The most time that a statement may take.
  package var timeout = Duration.seconds(8)
  /// The most time that a renewal may take; a later one is of no use.
  package var leasePatience = Duration.seconds(2)
  /// The number of connections that commit changes.
  package var writers = 2
  /// The number of all connections: one more reads, one renews the lease, and one does the upkeep.
  var connections: Int { writers + 3 }
  /// The most changes in one commit.
  package var batch = 256
  /// The most entries of a session that are kept beyond those that reading it needs.
  package var historyLimit = 256
  /// The time for which history is kept, from the first State on, instead of ``historyLimit`` entries.
  package var historyAge: Duration?
  /// The most bytes of such entries.
  package var historyBytes = 256 << 10

  package init() {}

  /// The SQL of the `synchronous_commit` value with which a commit waits for the disk.
  static let durable = """
    CASE current_setting('synchronous_commit') WHEN 'off' THEN 'on'
      ELSE current_setting('synchronous_commit') END
    """
}

/// A condition that the operator of a store should know of.
package enum PostgreSQLEvent: Sendable, Equatable {
  /// The server cannot be reached at the start, and the store tries again; reported once.
  case awaited(String)
  /// The server does not answer, or takes no changes; reported once until a change is committed.
  case unreachable(String)
  /// The reported outage is due to a missing synchronous standby.
  case waitsForStandby
  /// A change is committed again.
  case reconnected
  /// The server warns beside a successful statement; reported at most once an hour of each kind.
  case warned(String)
  /// This node has found another node's lease expired; one node finds each, with its number of sessions.
  case nodeDied(Node, sessions: Int)
}
