import FusionSessions
import FusionStrictJSON
import UIFusionKit

/// The output of `uifusion replay`: the trace and State of each version.
struct ReplayReport {
  let history: SessionHistory

  /// The report for people.
  var text: String {
    let session = history.session
    var lines = ["\(session.viewModel) \(session.id)"]
    var before = history.start?.state
    if let start = history.start {
      let time = start.sequence == 0 ? session.created.text : "earlier entries are no longer kept"
      lines += ["", "version \(start.version)  \(time)", line("state", start.state)]
    } else {
      lines += ["", "earlier entries are no longer kept"]
    }
    for step in history.steps where step.changesState || !step.entry.trace.isEmpty {
      lines += ["", "version \(step.entry.version)  \(step.entry.time.text)"]
      lines += step.trace.map(\.report)
      guard step.changesState else {
        lines.append("  state     as before")
        continue
      }
      lines += step.state.map { stateLines($0, after: before) } ?? ["  state     not kept"]
      before = step.state
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// Returns the changes of a State, or the whole State if the one before is not known.
  private func stateLines(_ state: [UInt8], after before: [UInt8]?) -> [String] {
    guard let before else { return [line("state", state)] }
    let changes = JSONDifference(from: tree(before), to: tree(state)).lines
    return changes.enumerated().map { index, change in
      line(index == 0 ? "state" : "", Array(change.utf8))
    }
  }

  /// A line of JSON for each entry.
  var jsonLines: String {
    var lines: [JSONTree] = []
    if let start = history.start {
      lines.append(
        scenarioStart.adding([
          "version": .number("\(start.version)"), "trace": [], "state": tree(start.state),
        ])
      )
    }
    for step in history.steps where step.changesState || !step.entry.trace.isEmpty {
      var line: JSONTree = [
        "version": .number("\(step.entry.version)"),
        "time": .string(step.entry.time.text),
        "trace": .array(step.trace.map { tree($0.text) }),
      ]
      if step.changesState { line = line.adding(["state": step.state.map(tree) ?? nil]) }
      lines.append(line)
    }
    return lines.map { $0.text + "\n" }.joined()
  }
}

extension TraceLine {
  /// The line for people, indented.
  var report: String {
    switch content {
    case .input(let input):
      line("input", input) + (sender.map { " by \($0.named)" } ?? "")
        + (from.map { " from session \($0)" } ?? "")
    case .action(let action):
      line(isSent ? "sent" : "action", action) + (refusal.map { " as refused: \($0)" } ?? "")
        + (followed.map { " for \($0)" } ?? "")
    case .printedAction(let action): line(isSent ? "sent" : "action", Array(action.utf8))
    case .error(let error): line("error", Array(error.utf8))
    case .restored(nil): "  restored"
    case .restored(let format?): "  restored  from format \(format)"
    case .recovered(let version, let name):
      "  recovered version \(version)" + (name.map { " by \($0)" } ?? "")
    case .cut: "  …         the first part was too long to be kept"
    case .unknown: line("unknown", text)
    }
  }
}

private func line(_ name: String, _ text: [UInt8]) -> String {
  let padding = String(repeating: " ", count: max(0, 10 - name.count))
  return "  \(name)\(padding)\(String(decoding: text, as: UTF8.self))"
}

/// Parses a JSON text; any other text becomes a string.
func tree(_ text: [UInt8]) -> JSONTree {
  (try? JSONDocument(text)).map { JSONTree($0.root) }
    ?? .string(String(decoding: text, as: UTF8.self))
}

/// The differences between two JSON values, a line for each member.
///
/// ```
/// value: 0 → 1
/// todos[1].title: nothing → "tea"
/// ```
struct JSONDifference {
  private(set) var lines: [String] = []

  init(from before: JSONTree, to after: JSONTree) {
    compare(before, after, at: "")
  }

  private mutating func compare(_ before: JSONTree?, _ after: JSONTree?, at path: String) {
    guard before != after else { return }
    switch (before, after) {
    case (.object(let old)?, .object(let new)?):
      let names = old.map(\.name) + new.map(\.name).filter { before?[$0] == nil }
      for name in names {
        compare(before?[name], after?[name], at: path.isEmpty ? name : "\(path).\(name)")
      }
    case (.array(let old)?, .array(let new)?):
      for index in 0..<max(old.count, new.count) {
        compare(old.dropFirst(index).first, new.dropFirst(index).first, at: "\(path)[\(index)]")
      }
    default:
      let change = "\(before?.text ?? "nothing") → \(after?.text ?? "nothing")"
      lines.append(path.isEmpty ? change : "\(path): \(change)")
    }
  }
}

extension Identity {
  /// The id, with the roles in brackets if there are any.
  fileprivate var named: String {
    roles.isEmpty ? id : "\(id) (\(roles.sorted().joined(separator: ", ")))"
  }
}
