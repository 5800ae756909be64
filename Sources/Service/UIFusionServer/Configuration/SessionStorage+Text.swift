package import FusionCommandLine
import FusionPostgreSQLSessions

extension SessionStorage {
  /// Reads the value of the flag `--data`.
  ///
  /// A misspelt connection string is refused: taken for a folder, it would be printed with its password. So is a
  /// misspelt `memory`.
  package init(_ text: String) throws(BadValue) {
    if text == "memory" {
      self = .memory
    } else if PostgreSQLSessionStore.isConnectionString(text) {
      self = .postgresql(text)
    } else if mayContainPassword(text) {
      throw BadValue(
        expected: "postgres://user@host/database, or the path of a folder",
        isShown: false
      )
    } else if !text.contains("/"), nearestWord(to: text.lowercased(), in: ["memory"]) != nil {
      throw BadValue(expected: "memory, or the path of a folder, with ./ before such a name")
    } else {
      self = .folder(text)
    }
  }
}

extension SessionStorage: CustomStringConvertible {
  /// The value of the flag `--data`; of a database without its password.
  public var description: String {
    switch self {
    case .memory: "memory"
    case .folder(let path): path
    case .postgresql(let string): PostgreSQLSessionStore.description(of: string)
    }
  }
}
