/// The reader for whom a value is written.
package enum Audience: Sendable {
  /// The store, which reads the value back.
  case store
  /// Clients: without ``Private`` members, and with those of ``MemberDeriving``.
  case clients
  /// Traces: with dots in place of ``Private`` members.
  case traces
}
