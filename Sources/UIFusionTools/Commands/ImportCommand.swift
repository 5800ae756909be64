import FusionSQLiteSessions
import FusionSessions
import FusionStrictJSON
import UIFusionKit
import UIFusionServer

/// Takes a session into a folder that no service has.
struct ImportCommand: Command {
  static let name = "sessions import"
  static let summary = "take in an exported session; not beside a service"
  static var flags: [Flag<Self>] {
    [
      .folder(\.folder),
      Flag("input", "FILE", "where to read it; else from standard input", \.input),
      Flag("replace", "put it in the place of one that has its id", \.replaces),
    ]
  }

  var folder = StoreFolder()
  var input: String?
  var replaces = false

  func run(_ catalog: ViewModelCatalog, _ dependencies: Dependencies) async throws -> Int32 {
    let place = input ?? "standard input"
    var session: StoredSession
    do {
      session = try SessionDocument.session(in: try JSONDocument(try Files.read(input)).root)
      // Its patches lead somewhere, or nobody could read it.
      _ = try SessionHistory(session, log: [])
    } catch let error as ToolError {
      throw error
    } catch {
      throw ToolError("\(place) is no exported session: \(error)")
    }
    // Or it would expire at the service's start, having been idle for so long.
    session.used = max(session.used, .now)
    try folder.write { [session] store in
      if replaces { try store.perform(.end([session.id], .deleted, at: .now)) }
      do {
        try store.perform(.create(session))
      } catch StoreError.conflict {
        throw ToolError(
          "there is a session \(session.id) in \(folder.path) already: give --replace, or delete it"
        )
      }
    }
    writeToStandardOutput("imported \(session.id)\n")
    return 0
  }
}
