import Foundation
import FusionCommandLine
import Testing

@testable import UIFusionServer

struct `The article about flags` {
  @Test func `matches the flags`() throws {
    let path = "Sources/Service/UIFusionServer/UIFusionServer.docc/Flags.md"
    let isCurrent = try projectFile(path) == article
    guard !isCurrent else { return }
    let written = FileManager.default.temporaryDirectory.appending(path: "Flags.md")
    try Data(article.utf8).write(to: written)
    Issue.record("run: cp \(written.path) \(path)")
  }

  @Test func `has an item for each flag`() {
    let lines = article.split(separator: "\n")
    for flag in ServeCommand.flags {
      let points = lines.filter { $0.hasPrefix("- `--\(flag.name) ") }
      #expect(points.count == 1, "--\(flag.name)")
      #expect(points.first?.hasSuffix(" Default: \(flag.defaultValue).") == true)
    }
  }

  private var article: String {
    """
    # Flags

    The flags of `uifusion serve`, with their defaults.

    ## Overview

    Each flag has an environment variable: `UIFUSION_MAX_BODY` for `--max-body`. It is read only without the flag. White
    space around a value is ignored, such as a line end; quotation marks around it are refused. Times are in seconds. Give
    a repeatable flag again for each element; in its variable, separate them by commas. Where a control group limits
    memory, the defaults of some limits are lower (<doc:Guarantees>). Where others than this machine reach the service, as
    in a container, no days of full history are kept and nothing is inspected, unless `--history-days` and `--inspect on`
    ask for it. No flag adds named time zones to an image: <doc:Hosting> says what does. `FlagsArticleTests` writes this
    article.

    \(Flag<Configuration>.groups.map(section).joined(separator: "\n\n"))

    """
  }

  private func section(_ title: String, _ flags: [Flag<Configuration>]) -> String {
    let points = flags.map { "- `\($0.usage)`: \($0.help). Default: \($0.defaultValue)." }
    return (["### " + title, ""] + points).joined(separator: "\n")
  }
}
