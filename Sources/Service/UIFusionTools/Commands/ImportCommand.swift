import FusionSessions
import FusionStrictJSON
import UIFusionKit
import UIFusionServer

/// Takes in an exported session, or all sessions of another place.
struct ImportCommand: Command {
  static let name = "sessions import"
  static let summary = "take in an exported session, or all of another place"
  static var flags: [Flag<Self>] {
    [
      .store(\.store), .from(\.source),
      Flag("input", "FILE", "where to read it; else from standard input", \.input),
      Flag("replace", "put it in the place of one that has its id", \.replaces),
    ]
  }

  var store = StorePlace()
  var source: StorePlace?
  var input: String?
  var replaces = false

  func validate() throws(UsageError) {
    guard let source else { return }
    guard input == nil else {
      throw UsageError(
        "--from takes in all sessions of a place, and --input one from a file: give one of them"
      )
    }
    guard source.storage != store.storage else {
      throw UsageError("--from and --data are the same place, \(store): say from where to where")
    }
    guard source.isShared || store.isShared else {
      throw UsageError(
        "--from and --data are both folders: sessions backup copies \(source) as it is"
      )
    }
  }

  func run(_ catalog: ViewModelCatalog, _ dependencies: Dependencies) async throws -> Int32 {
    if let source {
      let count = try store.takeIn(allOf: source, replacing: replaces)
      let sessions = count == 1 ? "session" : "sessions"
      writeToStandardOutput("imported \(count.grouped) \(sessions) from \(source)\n")
    } else {
      writeToStandardOutput("imported \(try takeIn())\n")
    }
    return 0
  }

  /// Takes one session in.
  private func takeIn() throws -> SessionID {
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
    return session.id
  }
}

extension Int {
  /// In groups of three digits.
  fileprivate var grouped: String {
    self < 1_000 ? "\(self)" : "\((self / 1_000).grouped),\("\(1_000 + self % 1_000)".dropFirst())"
  }
}
