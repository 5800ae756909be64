/// The audience for whom a value is written.
package enum Audience: Sendable {
  /// The store, which decodes the value again.
  case store
  /// Clients: without ``Private`` members, and with derived members (``MemberDeriving``).
  case clients
  /// Traces: with dots in place of ``Private`` members.
  case traces
}
