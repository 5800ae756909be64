import Foundation
import FusionCommandLine
import Testing

@testable import UIFusionServer

struct `The article about flags` {
  @Test func `is what the flags say`() throws {
    let path = "Sources/Service/UIFusionServer/UIFusionServer.docc/Flags.md"
    let isCurrent = try projectFile(path) == article
    guard !isCurrent else { return }
    let written = FileManager.default.temporaryDirectory.appending(path: "Flags.md")
    try Data(article.utf8).write(to: written)
    Issue.record("run: cp \(written.path) \(path)")
  }

  @Test func `has a row for each flag`() {
    for flag in ServeCommand.flags {
      #expect(article.contains("\n| `--\(flag.name) "), "--\(flag.name)")
      #expect(article.contains(" | `\(flag.environmentName)` | \(flag.defaultValue) | "))
    }
  }

  private var article: String {
    """
    # Flags

    The flags of `uifusion serve`, with their environment variables and defaults.

    ## Overview

    A flag wins over its environment variable. Times are in seconds. A flag that is repeatable takes a list: give it
    again for each element, or separate the elements by commas in the variable. A command line that begins with a flag
    is for `serve`. Where the process's memory is limited, the defaults of some limits are lower: <doc:Guarantees> says how.

    This article is generated: its test, `FlagsArticleTests`, writes it.

    \(Flag<Configuration>.groups.map(section).joined(separator: "\n\n"))

    """
  }

  private func section(_ title: String, _ flags: [Flag<Configuration>]) -> String {
    let rows = flags.map { flag in
      let meaning = flag.help.prefix(1).uppercased() + flag.help.dropFirst() + "."
      let cells = ["`\(flag.usage)`", "`\(flag.environmentName)`", flag.defaultValue, meaning]
      return "| " + cells.map { $0.replacing("|", with: "\\|") }.joined(separator: " | ") + " |"
    }
    let head = [
      "### " + title, "", "| flag | variable | default | meaning |", "| --- | --- | --- | --- |",
    ]
    return (head + rows).joined(separator: "\n")
  }
}
