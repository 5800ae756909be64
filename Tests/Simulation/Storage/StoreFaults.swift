/// The faults of a store for the time being.
struct StoreFaults {
  enum Mode {
    case working
    /// No change is accepted for lack of room; reading works.
    case full
    /// Nothing is read or written.
    case dead
  }

  var mode = Mode.working
  /// The time that a request takes to arrive, and its answer to come back, at the most; nothing: both happen
  /// within the call.
  var delay = Duration.zero
  /// The requests in a hundred that are lost, and reported as lost.
  var lostRequests = 0
  /// The answers in a hundred that are lost, whether the change was made or not.
  var lostAnswers = 0

  static let none = StoreFaults()

  /// Whether all that is asked for is done.
  var isHarmless: Bool { mode == .working && lostRequests == 0 && lostAnswers == 0 }
}
