import UIFusionKit

/// The report of a run, in the form that a terminal or a pipeline reads.
struct RunReport {
  enum Format: String, Sendable, CaseIterable { case text, tap, junit }

  let format: Format
  /// The number of steps of the whole scenario.
  let count: Int
  /// The name of the scenario.
  let name: String
  private var results: [ScenarioRun.Result] = []

  init(_ name: String, _ count: Int, _ format: Format) {
    (self.name, self.count, self.format) = (name, count, format)
  }

  /// The text before the first step.
  var head: String { format == .tap ? "TAP version 14\n1..\(count)\n" : "" }

  /// Adds a step, and returns its text.
  mutating func add(_ result: ScenarioRun.Result) -> String {
    let result = result.inLines
    results.append(result)
    let number = results.count
    switch format {
    case .junit: return ""
    case .text:
      let word = result.failure == nil ? "ok    " : "FAILED"
      return "\(word)  line \(result.step.line)  \(result.title)  \(result.milliseconds) ms\n"
        + (result.failure ?? []).map { "        \($0)\n" }.joined()
    case .tap:
      let title = "\(number) - line \(result.step.line): \(result.title)".replacing(
        "\\",
        with: "\\\\"
      ).replacing(
        "#",
        with: "\\#"
      )
      guard let failure = result.failure else { return "ok \(title)\n" }
      return "not ok \(title)\n  ---\n  message: |\n" + failure.map { "    \($0)\n" }.joined()
        + "  ...\n"
    }
  }

  var hasFailed: Bool { results.contains { $0.failure != nil } }

  /// The text after the last step.
  var tail: String {
    let time = results.map(\.duration).reduce(.zero, +)
    switch format {
    case .text:
      let left = count - results.count
      guard hasFailed else {
        return
          "\(count == 1 ? "1 step" : "\(count) steps") passed in \(Int(time.inMilliseconds.rounded())) ms\n"
      }
      return "line \(results.last?.step.line ?? 0) failed; "
        + (left == 1 ? "1 step was not run\n" : "\(left) steps were not run\n")
    case .tap:
      return hasFailed ? "Bail out! line \(results.last?.step.line ?? 0) failed\n" : ""
    case .junit:
      let failures = results.count { $0.failure != nil }
      let head = #"name="\#(name.escapedForXML)" tests="\#(count)" failures="\#(failures)""#
      return """
        <?xml version="1.0" encoding="UTF-8"?>
        <testsuite \(head) skipped="\(count - results.count)" time="\(time.secondsText)">
        \(results.map(testCase).joined() + skipped)</testsuite>

        """
    }
  }

  private var skipped: String {
    (results.count..<max(results.count, count)).map {
      "  <testcase name=\"step \($0 + 1)\"><skipped/></testcase>\n"
    }.joined()
  }

  private func testCase(_ result: ScenarioRun.Result) -> String {
    let title = "line \(result.step.line): \(result.title)".escapedForXML
    let head = "  <testcase name=\"\(title)\" time=\"\(result.duration.secondsText)\""
    guard let failure = result.failure else { return head + "/>\n" }
    let text = failure.joined(separator: "\n").escapedForXML
    return head + ">\n    <failure>\(text)</failure>\n  </testcase>\n"
  }
}

extension Duration {
  /// The duration in milliseconds, with their parts.
  var inMilliseconds: Double { self / .milliseconds(1) }

  /// The seconds, to the millisecond.
  fileprivate var secondsText: String { "\(inMilliseconds.rounded() / 1000)" }
}

extension ScenarioRun.Result {
  /// The result with a line for each line of a failure.
  fileprivate var inLines: Self {
    let lines = failure?.flatMap { $0.split(whereSeparator: \.isNewline).map(String.init) }
    return Self(step: step, duration: duration, failure: lines)
  }

  /// The title in one line.
  fileprivate var title: String {
    step.title.split(whereSeparator: \.isNewline).joined(separator: " ")
  }

  fileprivate var milliseconds: Int { Int(duration.inMilliseconds) }
}

extension String {
  /// The text in an XML document, without the characters that none may have (XML 1.0 §2.2).
  fileprivate var escapedForXML: String {
    var text = ""
    for scalar in unicodeScalars {
      switch scalar {
      case "&": text += "&amp;"
      case "<": text += "&lt;"
      case ">": text += "&gt;"
      case "\"": text += "&quot;"
      case "\t", "\n", " "..."\u{D7FF}", "\u{E000}"..."\u{FFFD}", "\u{10000}"...:
        text.unicodeScalars.append(scalar)
      default: text += "\u{FFFD}"
      }
    }
    return text
  }
}
