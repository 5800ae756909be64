import UIFusionKit

/// Prints every command with its flags.
struct HelpCommand: Command {
  static let name = "help"
  static let summary = "print this"
  static var flags: [Flag<Self>] { [] }

  var program = ""
  var commands: [any Command.Type] = []
  /// Of the tools among them.
  var notes = ""

  func run(_ catalog: ViewModelCatalog, _ dependencies: Dependencies) async throws -> Int32 {
    writeToStandardOutput(text)
    return 0
  }

  var text: String {
    """
    \(program): hosts view models over HTTP (uifusion \(uifusionVersion))

    \(commands.map { line(usage($0), $0.summary) }.joined(separator: "\n"))
    \(line("--version", VersionCommand.summary))
    \(line("--help", Self.summary))

    \(commands.map { section($0) }.joined(separator: "\n\n"))

    The default is in parentheses. Each flag with a value is also an environment variable: --max-body
    is UIFUSION_MAX_BODY. A flag wins. SIGTERM and SIGINT stop the service gracefully; a second one
    stops it at once. SIGHUP makes it read the front end's folder and the certificate again.
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
    "Flags of \(command.name):\n\(table(command.flagsInHelp))"
  }

  private func table<Settings>(_ flags: [Flag<Settings>]) -> String {
    let lines = flags.map { flag in
      (
        left: (["--\(flag.name)"] + (flag.value.map { [$0] } ?? [])).joined(separator: " "),
        flag: flag
      )
    }
    let width = lines.map(\.left.count).max() ?? 0
    return lines.map { left, flag in
      let padding = String(repeating: " ", count: width - left.count)
      return "  \(left)\(padding)  \(flag.help) (\(flag.defaultValue))"
    }
    .joined(separator: "\n")
  }
}
