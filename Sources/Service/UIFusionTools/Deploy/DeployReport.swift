import FusionSessions
import FusionStrictJSON

/// The findings of all sessions, summed up by view model.
struct DeployReport {
  /// The sums of one view model.
  fileprivate struct Sums {
    var kinds: [SessionFinding.Kind: Int] = [:]
    var same = 0
    var skipped: [String: Int] = [:]
    var changes = StateChanges()
    /// The first findings of each kind, each of which says something else.
    var examples: [SessionFinding.Kind: [SessionFinding]] = [:]
  }

  private var viewModels: [String: Sums] = [:]
  private(set) var count = 0
  private(set) var refused = 0
  private(set) var different = 0

  /// The most sessions of a kind that are named.
  private static let most = 3

  mutating func add(_ finding: SessionFinding) {
    count += 1
    if finding.kind.isRefused { refused += 1 }
    if finding.kind == .different { different += 1 }
    var sums = viewModels[finding.viewModel] ?? Sums()
    sums.kinds[finding.kind, default: 0] += 1
    sums.same += finding.same
    sums.skipped.merge(finding.skipped, uniquingKeysWith: +)
    sums.changes.formUnion(finding.changes)
    let examples = sums.examples[finding.kind] ?? []
    if examples.count < Self.most, !finding.lines.isEmpty,
      !examples.contains(where: { $0.lines == finding.lines })
    {
      sums.examples[finding.kind] = examples + [finding]
    }
    viewModels[finding.viewModel] = sums
  }

  private var sorted: [(name: String, sums: Sums)] {
    viewModels.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }
}

extension DeployReport {
  /// The report for people.
  var text: String {
    sorted.map { name, sums in
      let title = name.isEmpty ? "unknown view models" : name
      let lines = sums.lines.map { "  \($0)\n" }.joined()
      return "\(title): \(sums.kinds.values.reduce(0, +).sessions)\n\(lines)"
    }
    .joined()
  }

  /// An object of JSON for each view model.
  var json: [JSONTree] {
    sorted.map { name, sums in
      var line: JSONTree = ["viewModel": .string(name)]
      for kind in SessionFinding.Kind.allCases {
        line = line.adding(.object([.init(kind.rawValue, .number("\(sums.kinds[kind] ?? 0)"))]))
      }
      let examples = SessionFinding.Kind.allCases.flatMap { sums.examples[$0] ?? [] }
      return line.adding([
        "versions": .number("\(sums.same)"), "changes": sums.changes.json,
        "skipped": .array(
          sums.skipped.sorted { $0.key < $1.key }.map {
            ["reason": .string($0.key), "versions": .number("\($0.value)")]
          }
        ),
        "examples": .array(
          examples.map {
            [
              "session": .string("\($0.session)"), "result": .string($0.kind.rawValue),
              "lines": .array($0.lines.map(JSONTree.string)),
            ]
          }
        ),
      ])
    }
  }
}

extension DeployReport.Sums {
  fileprivate var lines: [String] {
    var lines = changes.sentences
    for kind in SessionFinding.Kind.allCases {
      guard let count = kinds[kind] else { continue }
      lines.append("\(count.sessions) \(kind.text)" + (kind == .same ? same.versionsText : ""))
      for example in examples[kind] ?? [] {
        lines.append("  \(example.session): \(example.lines[0])")
        lines += example.lines.dropFirst().map { "    \($0)" }
      }
    }
    lines += skipped.sorted { $0.key < $1.key }.map { reason, count in
      "\(count == 1 ? "1 version was" : "\(count) versions were") not compared: \(reason)"
    }
    return lines
  }
}

extension SessionFinding.Kind {
  /// The end of a sentence that begins with a number of sessions.
  fileprivate var text: String {
    switch self {
    case .same: "can be read and come out the same"
    case .different: "can be read but come out otherwise (stored → today's)"
    case .notReplayed: "can be read; what led to their States cannot be checked"
    case .unreadable: "CANNOT BE READ"
    case .damaged: "ARE DAMAGED in the store"
    case .crashed: "END THE PROCESS"
    case .unchecked: "were NOT CHECKED, as others of their view model end the process"
    }
  }
}

extension Int {
  fileprivate var sessions: String { self == 1 ? "1 session" : "\(self) sessions" }

  fileprivate var versionsText: String {
    self == 0 ? "" : self == 1 ? " in 1 version" : " in \(self) versions"
  }
}
