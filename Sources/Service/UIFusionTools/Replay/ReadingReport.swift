import FusionSessions
import FusionStrictJSON
import UIFusionKit
import UIFusionServer

/// What `uifusion replay --check` prints of a session whose actions cannot be done again: whether its State
/// can be read.
struct ReadingReport {
  private let name: String
  private let id: String
  private let result: Result<[String], any Error>

  init(_ session: StoredSession, _ catalog: ViewModelCatalog, _ dependencies: Dependencies) {
    name = session.viewModel
    id = "\(session.id)"
    let viewModel = catalog.viewModels.first { $0.name == session.viewModel }
    result = Result {
      guard let viewModel else { throw NotHosted() }
      return try viewModel.membersLacking(in: session, dependencies.forReplay)
    }
  }

  private struct NotHosted: Error, CustomStringConvertible {
    let description = "no view model of that name is hosted"
  }

  var isReadable: Bool { if case .success = result { true } else { false } }

  var text: String {
    switch result {
    case .success([]): "\(name) \(id): its State can be read\n"
    case .success(let added):
      "\(name) \(id): its State can be read, and lacks \(added.joined(separator: ", ")): a fresh State "
        + "supplies that\n"
    case .failure(let error): "\(name) \(id): its State cannot be read: \(error)\n"
    }
  }

  var jsonLine: String {
    let line: JSONTree =
      switch result {
      case .success(let added):
        [
          "viewModel": .string(name), "result": "readable",
          "added": .array(added.map(JSONTree.string)),
        ]
      case .failure(let error):
        ["viewModel": .string(name), "result": "unreadable-state", "reason": .string("\(error)")]
      }
    return line.text + "\n"
  }
}
