import FusionCommandLine
import UIFusionKit

/// Prints every command with its flags, or one of them.
struct HelpCommand: Command {
  static let name = "help"
  static let summary = "print this"
  static var flags: [Flag<Self>] { [] }

  var program = ""
  var commands: [any Command.Type] = []
  /// Whether the help is about one command alone.
  var isOfOne = false
  /// The paragraph about the tools; empty if there are none.
  var notes = ""

  func run(_ catalog: ViewModelCatalog, _ dependencies: Dependencies) async throws -> Int32 {
    writeToStandardOutput(text)
    return 0
  }

  var text: String {
    isOfOne ? "\(list)\n\n\(sections)\n\nDefaults are in parentheses.\n" : wholeText
  }

  private var list: String {
    commands.map { line(usage($0), $0.summary) }.joined(separator: "\n")
  }

  private var sections: String { commands.map { section($0) }.joined(separator: "\n\n") }

  private var wholeText: String {
    """
    \(program): hosts view models over HTTP (uifusion \(uifusionVersion))

    \(list)
    \(line("--version", VersionCommand.summary))
    \(line("--help", Self.summary))

    \(sections)

    Defaults are in parentheses. Each flag with a value is also an environment variable: --max-body is
    UIFUSION_MAX_BODY. A flag wins. SIGTERM and SIGINT stop the service gracefully, a second one at
    once. SIGHUP reloads the front end's folder and the certificate. --help after a command is
    about that command alone.
    """ + (notes.isEmpty ? "\n" : "\n\(notes)\n")
  }

  private func usage<Listed: Command>(_ command: Listed.Type) -> String {
    ([command.name] + (command.operand.map { [$0.name] } ?? []) + ["[flags]"])
      .joined(separator: " ")
  }

  private func line(_ command: String, _ summary: String) -> String {
    let start = "\(program) \(command)"
    return start + String(repeating: " ", count: max(1, 44 - start.count)) + summary
  }

  private func section<Listed: Command>(_ command: Listed.Type) -> String {
    let flags = command.flagsInHelp
    let width = flags.map(\.usage.count).max() ?? 0
    let lines = flags.map { flag in
      let padding = String(repeating: " ", count: width - flag.usage.count)
      return "  \(flag.usage)\(padding)  \(flag.help) (\(flag.defaultValue))"
    }
    return "Flags of \(command.name):\n\(lines.joined(separator: "\n"))"
  }
}

/// Prints the version.
struct VersionCommand: Command {
  static let name = "version"
  static let summary = "print the version"
  static var flags: [Flag<Self>] { [] }

  func run(_ catalog: ViewModelCatalog, _ dependencies: Dependencies) async throws -> Int32 {
    writeToStandardOutput("uifusion \(uifusionVersion)\n")
    return 0
  }
}
