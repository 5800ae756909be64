package import FusionCommandLine
package import UIFusionKit

/// A command of the program; its flags set its stored properties.
package protocol Command: FlagSettings {
  /// The one or two words after the program's name.
  static var name: String { get }
  /// The help's line about the command.
  static var summary: String { get }
  /// The one word that is not a flag; nil for a command without one.
  static var operand: Operand<Self>? { get }
  static var flags: [Flag<Self>] { get }
  /// The flags that the help lists under this command.
  static var flagsInHelp: [Flag<Self>] { get }

  /// Throws if a flag is missing, or two do not go together.
  func validate() throws(UsageError)

  /// Runs the command and returns the exit code of the process.
  ///
  /// - Throws: ``UsageError`` for a request that does not fit the catalog, otherwise the failure.
  func run(_ catalog: ViewModelCatalog, _ dependencies: Dependencies) async throws -> Int32
}

extension Command {
  package static var operand: Operand<Self>? { nil }

  package static var flagsInHelp: [Flag<Self>] { flags }

  package func validate() throws(UsageError) {}
}
