import FusionSQLiteSessions
import FusionSessions
import FusionStrictJSON
import UIFusionKit
import UIFusionServer

/// Lists the sessions of a folder, with their whole ids: whoever may read the folder may use them.
struct ListCommand: Command {
  static let name = "sessions list"
  static let summary = "list the stored sessions, with their whole ids"
  static var flags: [Flag<Self>] {
    [.folder(\.folder), Flag("format", "how it is printed; json is an object a line", \.format)]
  }

  var folder = StoreFolder()
  var format = OutputFormat.text

  func run(_ catalog: ViewModelCatalog, _ dependencies: Dependencies) async throws -> Int32 {
    let summaries = try folder.read { try $0.summaries() }
    let text: String
    switch format {
    case .json: text = summaries.map { $0.json.text + "\n" }.joined()
    case .text where summaries.isEmpty: text = "no sessions in \(folder.path)\n"
    case .text: text = table(summaries)
    }
    try Files.write(Array(text.utf8))
    return 0
  }

  private func table(_ summaries: [SessionArchive.Summary]) -> String {
    let titles = ["ID", "VIEW MODEL", "VERSION", "CREATED", "USED", "STATE", "ENTRIES"]
    let rows = [titles] + summaries.map(\.columns)
    let widths = titles.indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
    return rows.map { row in
      let cells = zip(row, widths).map { $0 + String(repeating: " ", count: $1 - $0.count) }
      return String(cells.joined(separator: "  ").reversed().drop { $0 == " " }.reversed()) + "\n"
    }
    .joined()
  }
}

extension SessionArchive.Summary {
  fileprivate var columns: [String] {
    [
      "\(id)", viewModel, "\(version)", created.text, used.text, "\(stateSize) B", "\(entries)",
    ]
  }

  /// Sizes in bytes.
  fileprivate var json: JSONTree {
    [
      "id": .string("\(id)"), "viewModel": .string(viewModel), "version": .number("\(version)"),
      "created": .string(created.text), "used": .string(used.text),
      "stateSize": .number("\(stateSize)"), "entries": .number("\(entries)"),
      "logSize": .number("\(logSize)"),
    ]
  }
}
