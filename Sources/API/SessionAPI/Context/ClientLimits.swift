/// The limits of each client, so that no client can crowd out the others.
///
/// By default they do not apply to clients in private networks, since all clients of a proxy may look like
/// one.
package struct ClientLimits: Sendable {
  /// The maximum number of open sessions, counting only those created since the process started; nil for
  /// ``usualSessions``.
  package var sessions: Int?
  /// The maximum number of open streams; nil for ``usualStreams``.
  package var streams: Int?
  /// The average number of Inputs per second; nil for no limit.
  package var inputsPerSecond: Int?

  package static let usualSessions = 1_000
  package static let usualStreams = 100

  package init() {}
}
