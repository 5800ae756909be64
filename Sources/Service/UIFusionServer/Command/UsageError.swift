/// A command line that makes no sense, and what would.
package struct UsageError: Error, CustomStringConvertible {
  package let description: String

  package init(_ description: String) {
    self.description = description
  }
}

extension UsageError {
  /// In place of what was given.
  static let withheld = " (what was given may have a password, and is not shown)"

  /// A word of a command line, as far as it may be repeated.
  static func naming(_ word: String) -> String {
    SessionStorage.isMeantForServer(word) ? "a word" + withheld : word
  }
}
