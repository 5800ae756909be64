import FusionJSONPatch
import FusionSessions
import FusionStrictJSON

/// What `uifusion replay` prints of a session, for people.
struct ReplayReport {
  let history: SessionHistory

  var text: String {
    let session = history.session
    var lines = ["\(session.viewModel) \(session.id)"]
    var before = history.start?.state
    if let start = history.start {
      let time = start.sequence == 0 ? session.created.text : "what came before is not kept"
      lines += ["", "version \(start.version)  \(time)", line("state", start.state)]
    } else {
      lines += ["", "what came before is not kept"]
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

  /// A State by what differs from the one before; in whole, where that is not known.
  private func stateLines(_ state: [UInt8], after before: [UInt8]?) -> [String] {
    guard let before else { return [line("state", state)] }
    let changes = JSONDifference(from: tree(before), to: tree(state)).lines
    return changes.enumerated().map { index, change in
      line(index == 0 ? "state" : "", Array(change.utf8))
    }
  }

  /// A line of JSON for each version, and for what changed nothing.
  var jsonLines: String {
    var lines: [JSONTree] = []
    if let start = history.start {
      lines.append([
        "version": .number("\(start.version)"), "trace": [], "state": tree(start.state),
      ])
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

/// What `uifusion replay --check` prints.
struct CheckReport {
  let history: SessionHistory
  let check: StateCheck

  var text: String {
    let session = "\(history.session.viewModel) \(history.session.id)"
    var lines = check.skipped.map { "version \($0.version) was not compared: \($0.reason)" }
    if !check.added.isEmpty {
      lines.append(
        "stored States lack \(added.joined(separator: ", ")): a fresh State supplies that"
      )
    }
    let skipped = check.skipped.isEmpty ? "" : ", \(check.skipped.count) not compared"
    guard let fault = check.fault else {
      lines.append("\(session): \(versions(check.agreeing)) the same\(skipped)")
      return lines.joined(separator: "\n") + "\n"
    }
    lines.append("\(session): version \(fault.version) \(fault.kind.text)")
    lines += fault.trace.map(\.report)
    if case .difference(let difference) = fault.kind {
      lines += difference.text.split(separator: "\n").map { "  \($0)" }
    }
    lines.append("before it \(versions(check.agreeing)) the same\(skipped)")
    return lines.joined(separator: "\n") + "\n"
  }

  /// A line of JSON for each version that could not be compared, and one for the result.
  var jsonLines: String {
    var lines: [JSONTree] = check.skipped.map {
      ["version": .number("\($0.version)"), "result": "skipped", "reason": .string($0.reason)]
    }
    var counts: JSONTree = [
      "same": .number("\(check.agreeing)"), "skipped": .number("\(check.skipped.count)"),
    ]
    if !added.isEmpty {
      counts = counts.adding(["added": .array(added.map(JSONTree.string))])
    }
    if let fault = check.fault {
      let line: JSONTree = [
        "version": .number("\(fault.version)"),
        "trace": .array(fault.trace.map { tree($0.text) }),
      ]
      lines.append(fault.kind.json.adding(line).adding(counts))
    } else {
      let result: JSONTree = ["result": "same"]
      lines.append(result.adding(counts))
    }
    return lines.map { $0.text + "\n" }.joined()
  }

  private var added: [String] { check.added.sorted() }

  private func versions(_ count: Int) -> String {
    count == 1 ? "1 version is" : "\(count) versions are"
  }
}

extension StateCheck.Fault.Kind {
  fileprivate var text: String {
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
      ["result": "different", "patch": patch(from: difference.stored, to: difference.replayed)]
    case .unknownAction(let action, let reason):
      ["result": "unknown-action", "action": tree(action), "reason": .string(reason)]
    case .unreadableState(let reason):
      ["result": "unreadable-state", "reason": .string(reason)]
    }
  }
}

extension TraceLine {
  /// The line for people, indented.
  fileprivate var report: String {
    switch content {
    case .input(let input): line("input", input)
    case .action(let action): line(isSent ? "sent" : "action", action)
    case .printedAction(let action): line(isSent ? "sent" : "action", Array(action.utf8))
    case .error(let error): line("error", Array(error.utf8))
    case .restored(nil): "  restored"
    case .restored(let format?): "  restored  from format \(format)"
    case .cut: "  …         the first part was too long to be kept"
    case .unknown: line("unknown", text)
    }
  }
}

private func line(_ name: String, _ text: [UInt8]) -> String {
  let padding = String(repeating: " ", count: max(0, 10 - name.count))
  return "  \(name)\(padding)\(String(decoding: text, as: UTF8.self))"
}

/// A text of JSON; what is none, as a string.
private func tree(_ text: [UInt8]) -> JSONTree {
  (try? JSONDocument(text)).map { JSONTree($0.root) }
    ?? .string(String(decoding: text, as: UTF8.self))
}

private func patch(from stored: [UInt8], to replayed: [UInt8]) -> JSONTree {
  guard let old = try? JSONDocument(stored).root, let new = try? JSONDocument(replayed).root,
    let text = JSONPatch.text(from: old, to: new)
  else { return nil }
  return tree(text)
}
