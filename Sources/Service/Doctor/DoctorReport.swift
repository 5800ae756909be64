import FusionStrictJSON
import UIFusionKit

/// The findings of an examination.
struct DoctorReport: Sendable {
  struct Entry: Sendable {
    let check: String
    let finding: Finding
    /// The command that makes a session for the finding's command; nil if none is needed, or an earlier entry has
    /// it.
    var preparation: String?
  }

  let url: ServiceURL
  var entries: [Entry] = []

  /// Whether no check failed; there may be warnings.
  var isGreen: Bool { count(.failure) == 0 }

  /// Adds a finding.
  ///
  /// - Parameters:
  ///   - finding: the finding.
  ///   - check: the name of its check.
  ///   - preparation: the command that makes a session for the commands that need one.
  /// - Returns: the new entry, with that command if it is the first that needs it.
  mutating func add(_ finding: Finding, of check: String, _ preparation: String?) -> Entry {
    var entry = Entry(check: check, finding: finding)
    let needsSession = finding.command?.contains(CurlRequest.sessionVariable) == true
    if finding.isFault, needsSession, entries.allSatisfy({ $0.preparation == nil }) {
      entry.preparation = preparation
    }
    entries.append(entry)
    return entry
  }

  /// Counts the findings of a level.
  func count(_ level: Finding.Level) -> Int {
    entries.count { $0.finding.level == level }
  }

  /// The last line for people: the number of findings of each level.
  var summary: String {
    let counts: [(Finding.Level, String)] = [
      (.ok, "ok"), (.warning, "to look at"), (.failure, "failed"), (.skipped, "not checked"),
    ]
    return counts.filter { count($0.0) > 0 || $0.0 == .failure }
      .map { "\(count($0.0)) \($0.1)" }.joined(separator: ", ")
  }

  /// The report for scripts; the members of each object are sorted by name.
  var json: JSONTree {
    let levels = Finding.Level.allCases.sorted { $0.rawValue < $1.rawValue }
    let counts = levels.map { JSONTree.Member($0.rawValue, .number("\(count($0))")) }
    return [
      "counts": .object(counts), "findings": .array(entries.map(\.json)), "url": .string(url.text),
    ]
  }
}

extension DoctorReport.Entry {
  var json: JSONTree {
    [
      "advice": .array(finding.adviceLines.map { .string($0) }),
      "check": .string(check),
      "command": finding.command.map { .string($0) } ?? nil,
      "level": .string(finding.level.rawValue),
      "preparation": preparation.map { .string($0) } ?? nil,
      "text": .string(finding.text),
    ]
  }

  /// Returns the lines for people: the finding, advice, and the command that shows it.
  func text(_ style: ReportStyle) -> String {
    let indent = String(repeating: " ", count: style.indent)
    let start = style.mark(finding.level) + " " + check
    let padding = max(1, style.indent - style.markWidth - 1 - check.count)
    var lines = [
      start + String(repeating: " ", count: padding) + finding.text.escapingTextControls()
    ]
    lines += finding.adviceLines.map { indent + "→ " + $0.escapingTextControls() }
    if finding.isFault {
      lines += [preparation, finding.command].compactMap { $0 }
        .map { indent + "$ " + $0.escapingTextControls() }
    }
    return lines.joined(separator: "\n") + "\n"
  }
}

/// The marks of findings: signs and colors at a terminal, otherwise words.
struct ReportStyle: Sendable {
  var isTerminal = false
  var hasColors = false

  var markWidth: Int { isTerminal ? 1 : 4 }
  /// The column of a line's text, after the longest name.
  var indent: Int { markWidth + 14 }

  func mark(_ level: Finding.Level) -> String {
    let (sign, word, color) =
      switch level {
      case .ok: ("✓", "ok  ", 32)
      case .warning: ("!", "warn", 33)
      case .failure: ("✗", "FAIL", 31)
      case .skipped: ("–", "-   ", 2)
      }
    guard isTerminal else { return word }
    return hasColors ? "\u{1B}[\(color)m\(sign)\u{1B}[0m" : sign
  }
}
