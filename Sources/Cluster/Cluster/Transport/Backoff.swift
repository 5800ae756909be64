import FusionSessions

/// The pauses between searches for a session's node.
///
/// The first search is repeated at once, as the session may just have moved; the pauses get longer from then on. Pauses
/// differ from session to session, so that not all sessions of a dead node are looked for at the same moment.
enum Backoff {
  private static let pauses: [Duration] = [
    .zero, .milliseconds(20), .milliseconds(100), .milliseconds(250), .milliseconds(500),
  ]

  /// Returns the pause after one or more failed searches; in the end between half of `longest` and all of it.
  static func pause(
    after failures: Int,
    of id: SessionID,
    longest: Duration = .milliseconds(500)
  ) -> Duration {
    let index = failures - 1
    let whole = pauses.indices.contains(index) ? min(pauses[index], longest) : longest
    // Derived from the id, not random: a simulated schedule can be repeated (Fibonacci hashing).
    let mixed = (id.low ^ UInt64(failures)) &* 0x9E37_79B9_7F4A_7C15
    return whole * (0.5 + 0.5 * Double(mixed >> 11) / Double(1 << 53))
  }
}
