import FoundationEssentials
import Glibc
public import UIFusionKit

/// The command line program around a catalog of view models.
///
/// ```swift
/// await UIFusionCommand.main(catalog)
/// ```
public enum UIFusionCommand: Sendable {
  /// Commands beside `serve` and `health`.
  ///
  /// `UIFusionTools` has all that there are: `await UIFusionCommand.main(catalog, tools: .all)`.
  public struct Tools: Sendable {
    /// In the order in which the help lists them.
    package let commands: [any Command.Type]
    /// What the help says of them together; empty, or whole lines without the last one's end.
    package let notes: String

    package init(_ commands: [any Command.Type], notes: String) {
      self.commands = commands
      self.notes = notes
    }

    /// No more than `serve` and `health`.
    public static let none = Tools([], notes: "")
  }

  /// Does what the process's command line says, and ends the process: with 0, with 1 where something
  /// keeps the service from starting or a tool from its work, or a check finds a difference, with 2
  /// where the command line makes no sense or asks for what cannot be checked.
  ///
  /// - Parameters:
  ///   - catalog: what is hosted.
  ///   - dependencies: what the view models are given; their interceptors look on at all of them.
  ///   - tools: the commands for stored sessions, which `UIFusionTools` has.
  public static func main(
    _ catalog: ViewModelCatalog,
    dependencies: Dependencies = Dependencies(),
    tools: Tools = .none
  ) async -> Never {
    openStandardStreams()
    let arguments = CommandLine.arguments
    let program = programName(path: arguments.first)
    let environment = ProcessInfo.processInfo.environment
    do {
      let parser = CommandParser(tools, program: program)
      let command = try parser.command(Array(arguments.dropFirst()), environment: environment)
      exit(try await command.run(catalog, dependencies))
    } catch {
      writeToStandardError(Array("\(program): \(error)\n".utf8))
      exit(error is UsageError ? 2 : 1)
    }
  }

  /// What messages and the usage call a program that was started by that path: the path's last part.
  static func programName(path: String?) -> String {
    path?.split(separator: "/").last.map(String.init) ?? "uifusion"
  }
}
