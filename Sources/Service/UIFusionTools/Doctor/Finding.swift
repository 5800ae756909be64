/// What a check found out about a deployment, and what to do about it.
struct Finding: Sendable, Equatable {
  enum Level: String, Sendable, CaseIterable {
    case ok, warning, failure
    /// Could not be found out, or was not asked for.
    case skipped
  }

  let level: Level
  /// One line: what was found.
  let text: String
  /// What to change, a line each.
  let advice: [String]
  /// The line for a terminal that shows it; nil where none does.
  let command: String?

  /// What is advised may have more than one line: a remedy has one for each proxy that may be there.
  init(level: Level, text: String, advice: [String] = [], command: String? = nil) {
    self.level = level
    self.text = text
    self.advice = advice.flatMap { $0.split(separator: "\n").map(String.init) }
    self.command = command
  }

  /// Whether something is to be done.
  var isFault: Bool { level == .failure || level == .warning }

  static func ok(_ text: String) -> Finding { Finding(level: .ok, text: text) }

  static func skipped(_ text: String) -> Finding { Finding(level: .skipped, text: text) }

  static func warning(_ text: String, _ advice: [String], _ command: String? = nil) -> Finding {
    Finding(level: .warning, text: text, advice: advice, command: command)
  }

  static func failure(_ text: String, _ advice: [String], _ command: String? = nil) -> Finding {
    Finding(level: .failure, text: text, advice: advice, command: command)
  }
}
