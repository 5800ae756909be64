import FusionCommandLine
import FusionPostgreSQLSessions
import FusionSessions
import FusionStrictJSON
import UIFusionKit
import UIFusionServer

/// Lists the nodes that share a database, without joining them or changing anything.
struct NodesCommand: Command {
  static let name = "nodes"
  static let summary = "list the nodes of a database, with their sessions"
  static var flags: [Flag<Self>] {
    [
      .store(\.store),
      Flag("format", "format of the output; json prints one object a line", \.format),
      Flag("all", "include nodes that stopped or died within the last hour", \.isWhole),
    ]
  }

  var store = StoreLocation()
  var format = OutputFormat.text
  var isWhole = false

  func validate() throws(UsageError) {
    if case .postgresql = store.storage { return }
    throw UsageError(
      "one process alone serves \(store): name a database with --data postgres://…"
    )
  }

  func run(_ catalog: ViewModelCatalog, _ dependencies: Dependencies) async throws -> Int32 {
    guard case .postgresql(let string) = store.storage else { return 2 }
    let (all, unowned) = try store.explaining("read") {
      try PostgreSQLSessionArchive(string, onlyToRead: true).nodes()
    }
    let nodes = all.filter { isWhole || $0.membership == .current }
    let text: String
    switch format {
    case .json:
      let nobody: JSONTree = ["node": nil, "sessions": .number("\(unowned)")]
      text = (nodes.map(\.json) + [nobody]).map { $0.text + "\n" }.joined()
    case .text:
      let titles = ["NODE", "NAME", "ADDRESS", "JOINED", "LEASE", "SESSIONS"]
      let nobody = ["–", "nobody", "–", "–", "–", "\(unowned)"]
      text = TextTable(titles: titles, rows: nodes.map(\.columns) + [nobody]).text
    }
    try show(text)
    return 0
  }
}

extension NodeStatus {
  fileprivate var columns: [String] {
    [
      "\(node.number)", node.name, node.address.isEmpty ? "–" : node.address, joined.text,
      leaseText, "\(sessions)",
    ]
  }

  private var leaseText: String {
    if membership == .left { return "stopped" }
    let tenths = milliseconds.magnitude / 100
    let seconds = "\(tenths / 10).\(tenths % 10) s"
    return milliseconds > 0 ? seconds : "expired \(seconds) ago"
  }

  private var milliseconds: Int64 {
    let (seconds, attoseconds) = leaseLeft.components
    return seconds * 1_000 + attoseconds / 1_000_000_000_000_000
  }

  /// The node as JSON; the lease is in seconds, negative after its end and null for a stopped node.
  fileprivate var json: JSONTree {
    [
      "node": .number("\(node.number)"), "name": .string(node.name),
      "address": node.address.isEmpty ? nil : .string(node.address),
      "joined": .string(joined.text),
      "leaseLeft": membership == .left ? nil : .number("\(Double(milliseconds) / 1_000)"),
      "sessions": .number("\(sessions)"),
    ]
  }
}
