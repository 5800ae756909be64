import FusionSessions
import FusionStrictJSON
import UIFusionKit

/// The output of `uifusion replay --check`.
struct CheckReport {
  let history: SessionHistory
  let check: StateCheck

  var text: String {
    let session = "\(history.session.viewModel) \(history.session.id)"
    var lines = skippedLines + check.changes.sentences
    for fault in check.faults.prefix(Self.limit) {
      lines.append("\(session): version \(fault.version) \(fault.kind.text)")
      lines += fault.trace.map(\.report)
      guard case .difference(let difference) = fault.kind else { continue }
      lines += difference.lines.map { "  \($0)" }
    }
    if check.faults.count > Self.limit {
      lines.append("and \(check.faults.count - Self.limit) more: --format json has all")
    }
    let count = Set(check.faults.map(\.version)).count
    let wrong =
      check.faults.isEmpty
      ? "" : ", \(count) \(count == 1 ? "is" : "are") not"
    let skipped = check.skipped.isEmpty ? "" : ", \(check.skipped.count) not compared"
    lines.append("\(session): \(versions(check.agreeing)) the same\(wrong)\(skipped)")
    return lines.joined(separator: "\n") + "\n"
  }

  /// The most faults that are printed for people.
  private static let limit = 10

  /// A line for each reason why versions were not compared.
  private var skippedLines: [String] {
    var reasons: [(text: String, versions: [Int])] = []
    for (version, reason) in check.skipped {
      if let place = reasons.firstIndex(where: { $0.text == reason }) {
        reasons[place].versions.append(version)
      } else {
        reasons.append((reason, [version]))
      }
    }
    return reasons.map { reason in
      let first = reason.versions[0]
      let count = reason.versions.count
      return count == 1
        ? "version \(first) was not compared: \(reason.text)"
        : "\(count) versions from \(first) to \(reason.versions[count - 1]) were not compared: \(reason.text)"
    }
  }

  /// A line of JSON for each version that was not compared or has a fault, and one for the result.
  var jsonLines: String {
    var lines: [JSONTree] = check.skipped.map {
      ["version": .number("\($0.version)"), "result": "skipped", "reason": .string($0.reason)]
    }
    var counts: JSONTree = [
      "same": .number("\(check.agreeing)"), "skipped": .number("\(check.skipped.count)"),
    ]
    if !check.changes.isEmpty { counts = counts.adding(check.changes.json) }
    for fault in check.faults {
      let line: JSONTree = [
        "version": .number("\(fault.version)"),
        "trace": .array(fault.trace.map { tree($0.text) }),
      ]
      lines.append(fault.kind.json.adding(line))
    }
    var result: JSONTree = ["result": check.faults.isEmpty ? "same" : "different"]
    if !check.faults.isEmpty {
      let versions = Set(check.faults.map(\.version))
      result = result.adding(["different": .number("\(versions.count)")])
    }
    lines.append(result.adding(counts))
    return lines.map { $0.text + "\n" }.joined()
  }

  private func versions(_ count: Int) -> String {
    count == 1 ? "1 version is" : "\(count) versions are"
  }
}

extension StateCheck.Fault.Kind {
  /// The end of a sentence that begins with a version.
  var text: String {
    switch self {
    case .difference: "differs (stored → today's)"
    case .unknownAction(_, let reason):
      "has an action that today's view model does not know: \(reason)"
    case .unreadableState(let reason): "has a State that today's view model cannot read: \(reason)"
    }
  }

  fileprivate var json: JSONTree {
    switch self {
    case .difference(let difference):
      ["result": "different", "members": .array(difference.members.map(\.json))]
    case .unknownAction(let action, let reason):
      ["result": "unknown-action", "action": tree(action), "reason": .string(reason)]
    case .unreadableState(let reason):
      ["result": "unreadable-state", "reason": .string(reason)]
    }
  }
}

extension StateDifference {
  /// The most members that are printed.
  private static var limit: Int { 10 }

  /// A line for each member: stored → replayed.
  var lines: [String] {
    guard !members.isEmpty else { return ["only in members that are never printed"] }
    let lines = description.split(separator: "\n").map(String.init)
    guard lines.count > Self.limit else { return lines }
    return lines.prefix(Self.limit) + ["and \(lines.count - Self.limit) more"]
  }
}

extension StateDifference.Member {
  fileprivate var json: JSONTree {
    let (stored, replayed) = (before.map(JSONTree.string), after.map(JSONTree.string))
    return [
      "path": .string(path), "stored": stored ?? .null, "replayed": replayed ?? .null,
    ]
  }
}

extension StateChanges {
  /// A sentence for each kind of change that there is.
  var sentences: [String] {
    (added.isEmpty
      ? [] : ["stored States lack \(added.joined(separator: ", ")): a value is supplied"])
      + (dropped.isEmpty
        ? [] : ["State no longer has \(dropped.joined(separator: ", ")): dropped"])
      + (renamed.isEmpty ? [] : ["State has renamed \(renamed.joined(separator: ", "))"])
  }

  /// The names of the members as an object of JSON.
  var json: JSONTree {
    [
      "added": .array(added.map(JSONTree.string)), "dropped": .array(dropped.map(JSONTree.string)),
      "renamed": .array(renamed.map(JSONTree.string)),
    ]
  }
}
