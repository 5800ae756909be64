import FusionSessions

/// How long who did not find a session's node waits before looking again.
///
/// At once the first time, as the session may just have moved; then longer and longer. Each session has times
/// of its own: when a node dies, those who ask for its sessions do not all come to the store at once.
enum Backoff {
  private static let pauses: [Duration] = [
    .zero, .milliseconds(20), .milliseconds(100), .milliseconds(250), .milliseconds(500),
  ]

  /// In the end half of `longest` to all of it.
  ///
  /// - Parameters:
  ///   - failures: how often it was not found, at least once.
  ///   - id: whose node is looked for.
  ///   - longest: what is never waited longer than.
  /// - Returns: the time from the last failure on.
  static func pause(
    after failures: Int,
    of id: SessionID,
    longest: Duration = .milliseconds(500)
  ) -> Duration {
    let index = failures - 1
    let whole = pauses.indices.contains(index) ? min(pauses[index], longest) : longest
    // Of the id and not of chance, so that what is simulated can be run again (Fibonacci hashing).
    let mixed = (id.low ^ UInt64(failures)) &* 0x9E37_79B9_7F4A_7C15
    return whole * (0.5 + 0.5 * Double(mixed >> 11) / Double(1 << 53))
  }
}
