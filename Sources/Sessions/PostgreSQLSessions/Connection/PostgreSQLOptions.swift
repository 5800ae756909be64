package import FusionSessions

extension PostgreSQLSessionStore {
  package struct Options: Sendable {
    /// What other nodes, and people, know this one by.
    package var name = ""
    /// Where other nodes find this one; empty where they cannot.
    package var address = ""
    /// Whether a commit is acknowledged before it is on the server's disk.
    package var isRelaxed = false
    /// How long a lease is.
    package var leaseTime = Duration.seconds(4)
    /// How long a statement may take.
    package var patience = Duration.seconds(8)
    /// How long the renewal of a lease may take: later it is of no use.
    package var leasePatience = Duration.seconds(2)
    /// How many connections commit changes.
    package var writers = 2
    /// How many changes are committed at once.
    package var batch = 256
    /// How many entries and bytes of a session are kept that reading it does not need.
    package var historyLimit = 256
    package var historyBytes = 256 << 10

    package init() {}
  }

  /// What whoever runs the store should know.
  package enum Event: Sendable, Equatable {
    /// The server cannot be reached at the start, and is tried again; told once.
    case awaited(String)
    /// The server does not answer, or takes no changes; told once until a change stands.
    case unreachable(String)
    /// What was told before is for want of a synchronous standby.
    case waitsForStandby
    /// A change stands again.
    case reconnected
    /// The server does what it is asked to, and warns of something; told at most once an hour of each kind.
    case warned(String)
    /// Another node's lease has run out, and this one has found that; each is found by one node, with how many
    /// sessions it had.
    case nodeDied(Node, sessions: Int)
  }
}
