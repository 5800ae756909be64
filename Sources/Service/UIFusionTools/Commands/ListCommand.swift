import FusionCommandLine
import FusionSessions
import FusionStrictJSON
import UIFusionKit
import UIFusionServer

/// Lists sessions with their whole ids, and since when their history is kept.
///
/// A user who may read the store may use the sessions.
struct ListCommand: Command {
  static let name = "sessions list"
  static let summary = "list the stored sessions, with their whole ids"
  static var flags: [Flag<Self>] {
    [
      .store(\.store),
      Flag("format", "format of the output; json prints one object a line", \.format),
    ]
  }

  var store = StoreLocation()
  var format = OutputFormat.text

  func run(_ catalog: ViewModelCatalog, _ dependencies: Dependencies) async throws -> Int32 {
    let summaries = try store.read { try $0.summaries() }
    let text: String
    switch format {
    case .json:
      text = summaries.map { summary in
        let node: JSONTree = store.isShared ? ["node": summary.node.json] : [:]
        return summary.json.adding(belonging(summary.name, summary.identity)).adding(node).text
          + "\n"
      }.joined()
    case .text where summaries.isEmpty: text = "no sessions in \(store)\n"
    case .text:
      var titles = ["ID", "VIEW MODEL", "VERSION", "CREATED", "USED", "STATE", "ENTRIES", "SINCE"]
      if store.isShared { titles.append("NODE") }
      let isNamed = summaries.contains { $0.name != nil || $0.identity != nil }
      if isNamed { titles += ["NAME", "IDENTITY"] }
      let isAnySetAside = summaries.contains { $0.setAside != nil }
      if isAnySetAside { titles.append("SET ASIDE") }
      let rows = summaries.map { summary in
        summary.columns + (store.isShared ? [summary.node?.text ?? "–"] : [])
          + (isNamed ? [summary.name ?? "–", summary.identity ?? "–"] : [])
          + (isAnySetAside ? [summary.setAside?.text ?? "–"] : [])
      }
      text = TextTable(titles: titles, rows: rows).text
    }
    try show(text)
    return 0
  }
}

extension SessionSummary {
  fileprivate var columns: [String] {
    [
      "\(id)", viewModel, "\(version)", created.text, used.text, "\(stateSize) B", "\(entries)",
      oldest?.text ?? "–",
    ]
  }

  /// The summary as JSON, with sizes in bytes.
  fileprivate var json: JSONTree {
    [
      "id": .string("\(id)"), "viewModel": .string(viewModel), "version": .number("\(version)"),
      "created": .string(created.text), "used": .string(used.text),
      "stateSize": .number("\(stateSize)"), "entries": .number("\(entries)"),
      "logSize": .number("\(logSize)"), "since": oldest.map { .string($0.text) } ?? nil,
      "setAside": setAside.map { .string($0.text) } ?? nil,
    ]
  }
}
