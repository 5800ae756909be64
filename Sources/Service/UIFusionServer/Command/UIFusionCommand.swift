import FoundationEssentials
import FusionCommandLine
import Glibc
public import UIFusionKit

/// The command line program of a catalog of view models.
///
/// ```swift
/// await UIFusionCommand.main(catalog)
/// ```
public enum UIFusionCommand: Sendable {
  /// Commands beside `serve` and `health`.
  ///
  /// `UIFusionTools` has them all: `await UIFusionCommand.main(catalog, tools: .all)`.
  public struct Tools: Sendable {
    /// The commands, in the order of the help.
    package let commands: [any Command.Type]
    /// The help's paragraph about them: whole lines without the last line's end, or empty.
    package let notes: String

    package init(_ commands: [any Command.Type], notes: String) {
      self.commands = commands
      self.notes = notes
    }

    /// No commands beside `serve` and `health`.
    public static let none = Tools([], notes: "")
  }

  /// Runs the command of the process's command line and ends the process.
  ///
  /// The exit code is 0; 1 if the service cannot start, a tool fails or a check finds a difference; 2 if the
  /// command line cannot be understood or asks for a check that is impossible.
  ///
  /// - Parameters:
  ///   - catalog: the view models to host.
  ///   - dependencies: the dependencies of the view models; their interceptors observe all of them.
  ///   - routes: the program's own routes and middleware.
  ///   - tools: the commands beside `serve` and `health`, from `UIFusionTools`.
  public static func main(
    _ catalog: ViewModelCatalog,
    dependencies: Dependencies = Dependencies(),
    routes: Routes = Routes(),
    tools: Tools = .none
  ) async -> Never {
    openStandardStreams()
    let arguments = CommandLine.arguments
    let program = programName(path: arguments.first)
    let environment = ProcessInfo.processInfo.environment
    do {
      let parser = CommandParser(tools, program: program)
      var command = try parser.command(Array(arguments.dropFirst()), environment: environment)
      if var serve = command as? ServeCommand {
        serve.routes = routes
        command = serve
      }
      exit(try await command.run(catalog, dependencies))
    } catch {
      let text = "\(program): \(error)".escapingTextControls(except: ["\n"])
      writeToStandardError(Array("\(text)\n".utf8))
      exit(error is UsageError ? 2 : 1)
    }
  }

  /// Returns the program's name in messages: the last part of the path that started it.
  static func programName(path: String?) -> String {
    path?.split(separator: "/").last.map(String.init) ?? "uifusion"
  }
}
