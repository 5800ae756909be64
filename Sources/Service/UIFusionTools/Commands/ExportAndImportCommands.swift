import FusionCommandLine
import FusionSessions
import FusionStrictJSON
import UIFusionKit
import UIFusionServer

/// Imports an exported session, or all sessions of another place.
struct ImportCommand: Command {
  static let name = "sessions import"
  static let summary = "import an exported session, or all of another place"
  static var flags: [Flag<Self>] {
    [
      .store(\.store), .from(\.source),
      Flag("input", "FILE", "file to read; default standard input", \.input),
      Flag("replace", "replace a session of the same id", \.replaces),
    ]
  }

  var store = StoreLocation()
  var source: StoreLocation?
  var input: String?
  var replaces = false

  func validate() throws(UsageError) {
    guard let source else { return }
    guard input == nil else {
      throw UsageError(
        "--from imports all sessions of a place, --input one from a file: give one of them"
      )
    }
    guard source.storage != store.storage else {
      throw UsageError("--from and --data are the same place, \(store): name two different ones")
    }
    guard source.isShared || store.isShared else {
      throw UsageError(
        "--from and --data are both folders: sessions backup copies \(source) as it is"
      )
    }
  }

  func run(_ catalog: ViewModelCatalog, _ dependencies: Dependencies) async throws -> Int32 {
    if let source {
      let count = try store.importAll(from: source, replacing: replaces)
      let sessions = count == 1 ? "session" : "sessions"
      writeToStandardOutput("imported \(count) \(sessions) from \(source)\n")
    } else {
      writeToStandardOutput("imported \(try importOne())\n")
    }
    return 0
  }

  /// Imports one session and returns its id.
  private func importOne() throws -> SessionID {
    let file = input ?? "standard input"
    var session: StoredSession
    do {
      session = try SessionDocument.session(in: try JSONDocument(try Files.readText(input)).root)
      // A session with patches that do not apply could never be read.
      _ = try SessionHistory(session, log: [])
    } catch let error as CommandError {
      throw error
    } catch {
      throw CommandError("\(file) is not an exported session: \(error)")
    }
    // Otherwise an old session would expire at the service's start.
    session.used = max(session.used, .now)
    try store.put(session, replacing: replaces)
    return session.id
  }
}

/// Writes a session with its history as a JSON document.
struct ExportCommand: Command {
  static let name = "sessions export"
  static let summary = "write one session as a JSON document, for import"
  static var flags: [Flag<Self>] {
    [
      .store(\.store), .session(\.session),
      Flag("output", "FILE", "file to write; default standard output", \.output),
    ]
  }

  var store = StoreLocation()
  var session: SessionID?
  var output: String?

  func validate() throws(UsageError) { _ = try session.given() }

  func run(_ catalog: ViewModelCatalog, _ dependencies: Dependencies) async throws -> Int32 {
    let session = try store.history(of: session.given()).whole
    try Files.write(try SessionDocument.tree(of: session).bytes + [UInt8(ascii: "\n")], to: output)
    return 0
  }
}
