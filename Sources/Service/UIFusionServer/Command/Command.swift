package import UIFusionKit

/// One thing that the command line can ask for.
///
/// Its stored properties are what its flags set.
package protocol Command: FlagSettings {
  /// As it is written after the program's name: one word, or two.
  static var name: String { get }
  /// What it does, for the help.
  static var summary: String { get }
  /// Its one word that is no flag; nil where it takes none.
  static var operand: Operand<Self>? { get }
  static var flags: [Flag<Self>] { get }
  /// Those that the help lists, where it does not list others under another command.
  static var flagsInHelp: [Flag<Self>] { get }

  /// Throws what is missing, or does not go together.
  func validate() throws(UsageError)

  /// Does it; the process ends with the number that it returns.
  ///
  /// - Throws: ``UsageError`` for what cannot be asked of this catalog, else what went wrong.
  func run(_ catalog: ViewModelCatalog, _ dependencies: Dependencies) async throws -> Int32
}

extension Command {
  package static var operand: Operand<Self>? { nil }

  package static var flagsInHelp: [Flag<Self>] { flags }

  package func validate() throws(UsageError) {}
}
