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
  /// The changes to make.
  private let advice: [Advice]
  /// The command that shows the result; nil if there is none.
  private(set) var command: String?
  private var proxy = ProxyKind.unknown

  init(level: Level, text: String, advice: [Advice] = [], command: String? = nil) {
    self.level = level
    self.text = text
    self.advice = advice
    self.command = command
  }

  /// Whether the finding needs attention.
  var isFault: Bool { level == .failure || level == .warning }

  /// The lines of advice, in the syntax of the proxy; for an unknown one a line for each.
  var adviceLines: [String] { advice.flatMap { $0.lines(for: proxy) } }

  /// Returns the finding with advice in the syntax of a proxy.
  func resolved(for proxy: ProxyKind) -> Finding {
    var finding = self
    finding.proxy = proxy
    return finding
  }

  /// Returns the finding with a command, if it needs attention and has none.
  func shown(by command: String) -> Finding {
    var finding = self
    if isFault { finding.command = self.command ?? command }
    return finding
  }

  static func ok(_ text: String) -> Finding { Finding(level: .ok, text: text) }

  static func skipped(_ text: String) -> Finding { Finding(level: .skipped, text: text) }

  static func warning(_ text: String, _ advice: [Advice] = [], _ command: String? = nil) -> Finding
  {
    Finding(level: .warning, text: text, advice: advice, command: command)
  }

  static func failure(_ text: String, _ advice: [Advice] = [], _ command: String? = nil) -> Finding
  {
    Finding(level: .failure, text: text, advice: advice, command: command)
  }
}

extension [Finding] {
  /// Returns the findings with a command, each that needs attention and has none.
  func shown(by command: String) -> [Finding] { map { $0.shown(by: command) } }
}
