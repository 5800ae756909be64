import FusionCommandLine
import FusionSessions
import FusionStrictJSON
import UIFusionKit
import UIFusionServer

/// Shows a stored session.
struct ShowCommand: Command {
  static let name = "sessions show"
  static let summary = "show one session: State, keys, alarms, messages, shares"
  static var flags: [Flag<Self>] {
    [.store(\.store), .session(\.session), Flag("format", "format of the output", \.format)]
  }

  var store = StoreLocation()
  var session: SessionID?
  var format = OutputFormat.text

  func validate() throws(UsageError) { _ = try session.given() }

  func run(_ catalog: ViewModelCatalog, _ dependencies: Dependencies) async throws -> Int32 {
    let id = try session.given()
    var members = try members(of: store.history(of: id), store.read { try $0.shares(of: id) })
    if store.isShared {
      let node = try store.read { try $0.owner(of: id) }
      let index = members.firstIndex { $0.name == "state" } ?? members.endIndex
      let value = format == .json ? node.json : node.map { .string($0.text) } ?? nil
      members.insert(JSONTree.Member("node", value), at: index)
    }
    let text: String
    switch format {
    case .json: text = JSONTree.object(members).text
    case .text:
      let width = members.map(\.name.count).max() ?? 0
      text = members.map { member in
        let padding = String(repeating: " ", count: width - member.name.count)
        return "\(member.name)\(padding)  \(member.value.plain)"
      }
      .joined(separator: "\n")
    }
    try show(text + "\n")
    return 0
  }

  private func members(
    of history: SessionHistory,
    _ shares: [StoredShare]
  ) throws -> [JSONTree.Member] {
    let session = history.session
    let parameters = session.parameters
    var members = try [
      JSONTree.Member("id", .string("\(session.id)")),
      JSONTree.Member("viewModel", .string(session.viewModel)),
      JSONTree.Member("version", .number("\(history.version)")),
      JSONTree.Member("format", .number("\(session.head.format)")),
      JSONTree.Member("created", .string(session.created.text)),
      JSONTree.Member("used", .string(session.used.text)),
      JSONTree.Member("parameters", parameters.isEmpty ? nil : JSONTree(parsing: parameters)),
      JSONTree.Member("running", .array(Interrupted.work(in: history.running).map { .string($0) })),
      JSONTree.Member(
        "alarms",
        .array(session.alarms.filter { !$0.isMessage && !$0.isRecord }.map(SessionDocument.tree))
      ),
      JSONTree.Member("messages", .array(SessionDocument.messages(of: session))),
      JSONTree.Member("shares", .array(shares.map { .string($0.role.rawValue) })),
      JSONTree.Member("keys", .number("\(session.keys.count)")),
      JSONTree.Member("entries", .number("\(history.steps.count)")),
      JSONTree.Member("state", JSONTree(parsing: history.state)),
    ]
    members.insert(contentsOf: session.belonging.members, at: 2)
    return members
  }
}

extension JSONTree {
  /// The value for people: a string without quotation marks, null as a dash.
  fileprivate var plain: String {
    switch self {
    case .string(let text): text
    case .null, .array([]): "–"
    default: text
    }
  }
}
