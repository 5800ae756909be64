import Sessions
import UIFusionKit

/// A command that does something with stored sessions, and ends.
protocol Tool: FlagSettings {
  /// As it is written after `uifusion`.
  static var name: String { get }
  /// What it does, for the help.
  static var summary: String { get }
  static var flags: [Flag<Self>] { get }

  /// Throws what is missing, or does not go together.
  func check() throws(UsageError)

  /// Does it; the process ends with the number that it returns.
  func run(_ catalog: ViewModelCatalog, _ dependencies: Dependencies) async throws -> Int32
}

extension Tool {
  func check() throws(UsageError) {}
}

/// All of them, in the order in which the help lists them.
let tools: [any Tool.Type] = [
  ReplayCommand.self, ListCommand.self, ShowCommand.self, ExportCommand.self, ImportCommand.self,
  DeleteCommand.self, BackupCommand.self,
]

/// Why a tool could not do its work, for a person.
struct ToolError: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) {
    self.description = description
  }
}

/// How a tool prints.
enum ToolFormat: String, Sendable, CaseIterable {
  case text, json
}

extension Flag {
  static func folder(_ member: any WritableKeyPath<Settings, StoreFolder> & Sendable) -> Flag {
    Flag(
      name: "data",
      value: "FOLDER",
      help: "where sessions are kept",
      standard: Settings()[keyPath: member].path
    ) { (text, settings) throws(BadValue) in
      guard !text.isEmpty, text != "memory" else {
        throw BadValue(expected: "a folder")
      }
      settings[keyPath: member] = StoreFolder(path: text)
    }
  }

  static func session(_ member: any WritableKeyPath<Settings, SessionID?> & Sendable) -> Flag {
    Flag(name: "session", value: "ID", help: "the session", standard: "has to be given") {
      (text, settings) throws(BadValue) in
      guard let id = SessionID(text) else {
        throw BadValue(expected: "a session's id, of 22 letters, digits, - and _")
      }
      settings[keyPath: member] = id
    }
  }
}

extension Optional<SessionID> {
  /// Throws where none was given.
  func given() throws(UsageError) -> SessionID {
    guard let id = self else { throw UsageError("say which session: --session ID") }
    return id
  }
}
