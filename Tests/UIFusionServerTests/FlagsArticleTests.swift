import FusionCommandLine
import Testing

@testable import UIFusionServer

struct `The article about flags` {
  private let path = "Sources/Service/UIFusionServer/UIFusionServer.docc/Flags.md"

  @Test func `is what the flags say`() throws {
    let isCurrent = try projectFile(path) == FlagsArticleCommand.text
    #expect(isCurrent, "run: swift run uifusion help serve --markdown > \(path)")
  }

  @Test func `is printed by help`() throws {
    let parser = CommandParser(program: "shop")
    let command = try parser.command(["help", "serve", "--markdown"], environment: [:])
    #expect(command is FlagsArticleCommand)
    #expect(try parser.command(["help", "serve"], environment: [:]) is HelpCommand)
  }

  @Test func `has a point for each flag`() {
    let lines = FlagsArticleCommand.text.split(separator: "\n")
    for flag in ServeCommand.flags {
      let points = lines.filter { $0.hasPrefix("- `--\(flag.name) ") }
      #expect(points.count == 1, "--\(flag.name)")
      #expect(points.first?.hasSuffix(" Default: \(flag.defaultValue).") == true)
    }
  }
}
