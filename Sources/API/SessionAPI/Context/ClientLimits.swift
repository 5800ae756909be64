/// The limits of one client, so that none can take everything from the others.
///
/// Where a limit is not set, clients in private networks have none, as all clients of a proxy may be one.
package struct ClientLimits: Sendable {
  /// The number of sessions, of those created since the start of the process, that may be open; nil for ``usualSessions``.
  package var sessions: Int?
  /// The number of streams that may be open; nil for ``usualStreams``.
  package var streams: Int?
  /// The number of Inputs in a second, on the average; nil for no limit.
  package var inputsPerSecond: Int?

  package static let usualSessions = 1_000
  package static let usualStreams = 100

  package init() {}
}
