import FoundationEssentials
import Glibc
public import UIFusionKit

/// The command line program around a catalog of view models.
///
/// ```swift
/// await UIFusionCommand.main(catalog)
/// ```
public enum UIFusionCommand: Sendable {
  /// Does what the process's command line says, and ends the process: with 0, with 1 where something
  /// keeps the service from starting or a tool from its work, or a check finds a difference, with 2
  /// where the command line makes no sense or asks for what cannot be checked.
  ///
  /// The dependencies are what the view models are given; their interceptors look on at all of them.
  public static func main(
    _ catalog: ViewModelCatalog,
    dependencies: Dependencies = Dependencies()
  ) async -> Never {
    let arguments = Array(CommandLine.arguments.dropFirst())
    let environment = ProcessInfo.processInfo.environment
    exit(await run(catalog, dependencies, arguments, environment))
  }

  private static func run(
    _ catalog: ViewModelCatalog,
    _ dependencies: Dependencies,
    _ arguments: [String],
    _ environment: [String: String]
  ) async -> Int32 {
    do {
      switch try Request(arguments, environment: environment) {
      case .serve(let configuration):
        try await serve(catalog, configuration, dependencies)
        return 0
      case .health(let host, let port):
        if isReady(host: host, port: port) { return 0 }
        writeToStandardError(Array("uifusion: nothing is ready at \(host), port \(port)\n".utf8))
        return 1
      case .tool(let tool): return try await tool.run(catalog, dependencies)
      case .help:
        writeToStandardOutput(helpText())
        return 0
      case .version:
        writeToStandardOutput("uifusion \(uifusionVersion)\n")
        return 0
      }
    } catch let error as UsageError {
      writeToStandardError(Array("uifusion: \(error)\n".utf8))
      return 2
    } catch {
      writeToStandardError(Array("uifusion: \(error)\n".utf8))
      return 1
    }
  }

  private static func serve(
    _ catalog: ViewModelCatalog,
    _ configuration: Configuration,
    _ dependencies: Dependencies
  ) async throws {
    let signals = terminationSignals()
    let service = try Service(catalog, configuration, dependencies: dependencies)
    writeToStandardOutput("listening on \(service.url)\n")
    var stopping: Task<Void, Never>?
    for await number in signals {
      // The second signal means now; the shell's number for a process that a signal ended.
      if stopping != nil { exit(128 + number) }
      stopping = Task.detached {
        await service.stop()
        exit(0)
      }
    }
  }
}
