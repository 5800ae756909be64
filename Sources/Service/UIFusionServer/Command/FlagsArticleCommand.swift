import FusionCommandLine
import UIFusionKit

/// Prints the article about the flags of `serve`, which is generated from the flags themselves.
struct FlagsArticleCommand: Command {
  static let name = "help serve --markdown"
  static let summary = "print the article about the flags of serve"
  static var flags: [Flag<Self>] { [] }

  func run(_ catalog: ViewModelCatalog, _ dependencies: Dependencies) async throws -> Int32 {
    writeToStandardOutput(Self.text)
    return 0
  }

  /// The contents of `UIFusionServer.docc/Flags.md`.
  static var text: String {
    """
    # Flags

    The flags of `uifusion serve`, with their environment variables and defaults.

    ## Overview

    A flag wins over its environment variable. Times are in seconds. A flag that is repeatable takes a list: give it
    again for each element, or separate the elements by commas in the variable. A command line that begins with a flag
    is for `serve`. Where the process's memory is limited, the defaults of some limits are lower: <doc:Guarantees> says how.

    This article is generated: `uifusion help serve --markdown` prints it.

    \(Flag<Configuration>.groups.map(section).joined(separator: "\n\n"))

    """
  }

  private static func section(_ title: String, _ flags: [Flag<Configuration>]) -> String {
    let rows = flags.map { flag in
      let cells = [
        "`\(flag.usage)`", "`\(flag.environmentName)`", flag.defaultValue, flag.help.sentence,
      ]
      return "| " + cells.map { $0.replacing("|", with: "\\|") }.joined(separator: " | ") + " |"
    }
    let head = [
      "### " + title, "", "| flag | variable | default | meaning |", "| --- | --- | --- | --- |",
    ]
    return (head + rows).joined(separator: "\n")
  }
}

extension String {
  /// The text with a capital at its beginning and a full stop at its end.
  fileprivate var sentence: String { prefix(1).uppercased() + dropFirst() + "." }
}
