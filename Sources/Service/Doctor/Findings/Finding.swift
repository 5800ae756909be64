/// A result of a check, with advice.
struct Finding: Sendable, Equatable {
  enum Level: String, Sendable, CaseIterable {
    case ok, warning, failure
    /// Not checked.
    case skipped
  }

  /// A change to make.
  enum Advice: Sendable, Equatable, ExpressibleByStringInterpolation {
    case text(String)
    /// A change to the proxy in front.
    case remedy(Remedy)

    init(stringLiteral text: String) { self = .text(text) }
  }

  let level: Level
  /// The result in one line.
  let text: String
  /// The changes to make.
  private(set) var advice: [Advice] = []
  /// The command that shows the result; nil if there is none.
  private(set) var command: String?

  /// Whether the finding needs attention.
  var isFault: Bool { level == .failure || level == .warning }

  /// The lines of advice; a remedy has a line for each kind of proxy, unless ``resolved(for:)`` chose one.
  var adviceLines: [String] {
    advice.flatMap { advice in
      let text =
        switch advice {
        case .text(let text): text
        case .remedy(let remedy): remedy.line(for: .unknown)
        }
      return text.split(separator: "\n").map(String.init)
    }
  }

  /// Returns the finding with remedies in the syntax of a proxy.
  func resolved(for proxy: ProxyKind) -> Finding {
    var finding = self
    finding.advice = advice.map { advice in
      guard case .remedy(let remedy) = advice else { return advice }
      return .text(remedy.line(for: proxy))
    }
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
