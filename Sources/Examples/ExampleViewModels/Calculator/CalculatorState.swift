extension CalculatorViewModel {
  /// What a client sees, and what the calculator has in mind.
  package struct State: Codable, Equatable, Sendable {
    /// The number that is shown; also the one that is reckoned with.
    package var display: String
    package var activeAlert: String?
    package var isAutoClearTimerActive: Bool

    // The rest is nobody's business. It belongs to State all the same, since `reduce` knows nothing
    // else; but it is neither sent nor, therefore, stored. A calculator that comes back still shows its
    // number, has forgotten the operation before it, and takes the next digit for a new number.
    var pending: Pending?
    var isTyping = false

    private enum CodingKeys: CodingKey {
      case display, activeAlert, isAutoClearTimerActive
    }

    package init(
      display: String = "0",
      activeAlert: String? = nil,
      isAutoClearTimerActive: Bool = false
    ) {
      self.display = display
      self.activeAlert = activeAlert
      self.isAutoClearTimerActive = isAutoClearTimerActive
    }
  }

  /// The left side of an operation that waits for its right one.
  struct Pending: Equatable, Sendable {
    var left: Double
    var operation: Operation
  }

  /// What a client may ask for.
  package enum Input: Codable, Equatable, Sendable {
    case digit(Int), operation(Operation), equals, clear, dismissAlert
  }

  /// What is done about it.
  package enum Action: Codable, Equatable, Sendable {
    case enter(Int), choose(Operation), calculate, clear, dismissAlert
    /// Starts the timer that clears, starts it again, or stops it: as State says.
    case updateTimer
  }
}
