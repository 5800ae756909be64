import FusionSessions
import FusionStrictJSON
import UIFusionKit
import UIFusionServer

/// Takes an exported session in.
struct ImportCommand: Command {
  static let name = "sessions import"
  static let summary = "take in an exported session"
  static var flags: [Flag<Self>] {
    [
      .store(\.store),
      Flag("input", "FILE", "where to read it; else from standard input", \.input),
      Flag("replace", "put it in the place of one that has its id", \.replaces),
    ]
  }

  var store = StorePlace()
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
    try store.put(session, replacing: replaces)
    writeToStandardOutput("imported \(session.id)\n")
    return 0
  }
}
