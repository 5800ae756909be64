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

    The flags of `uifusion serve`, with their defaults.

    ## Overview

    Each flag has an environment variable: `UIFUSION_MAX_BODY` for `--max-body`. The flag wins. Times are in seconds. A
    flag that is repeatable takes a list: give it again for each element, or separate the elements by commas in the
    variable. Where the process's memory is limited, the defaults of some limits are lower: <doc:Guarantees> says how.

    This article is generated: `uifusion help serve --markdown` prints it.

    \(Flag<Configuration>.groups.map(section).joined(separator: "\n\n"))

    """
  }

  private static func section(_ title: String, _ flags: [Flag<Configuration>]) -> String {
    let points = flags.map { "- `\($0.usage)`: \($0.help). Default: \($0.defaultValue)." }
    return (["### " + title, ""] + points).joined(separator: "\n")
  }
}
