/// The current faults of a store.
struct StoreFaults {
  enum Mode {
    case working
    /// No change is accepted, for lack of space; reading works.
    case full
    /// Nothing is read or written.
    case dead
  }

  var mode = Mode.working
  /// The maximum delay of a request, and of its answer; with zero, both happen within the call.
  var delay = Duration.zero
  /// The percentage of requests that are lost, and reported as lost.
  var lostRequests = 0
  /// The percentage of answers that are lost, whether or not the change was made.
  var lostAnswers = 0

  static let none = StoreFaults()

  /// Whether every request is performed and answered.
  var isHarmless: Bool { mode == .working && lostRequests == 0 && lostAnswers == 0 }
}
