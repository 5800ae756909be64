/// A result of a check, with advice.
struct Finding: Sendable, Equatable {
  enum Level: String, Sendable, CaseIterable {
    case ok, warning, failure
    /// Not checked.
    case skipped
  }

  let level: Level
  /// The result in one line.
  let text: String
  /// The changes to make, a line each.
  let advice: [String]
  /// The command that shows the result; nil if there is none.
  let command: String?

  /// Makes a finding; advice of several lines, one for each kind of proxy, is split into lines.
  init(level: Level, text: String, advice: [String] = [], command: String? = nil) {
    self.level = level
    self.text = text
    self.advice = advice.flatMap { $0.split(separator: "\n").map(String.init) }
    self.command = command
  }

  /// Whether the finding needs attention.
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
