import FusionCommandLine
import Glibc
import UIFusionKit
import UIFusionServer

/// Runs the program of the package in this folder, and rebuilds and restarts it after each change.
struct DevCommand: Command {
  static let name = "dev"
  static let summary = "run this folder's package, rebuilt at each change"
  static var flags: [Flag<Self>] { own + Flag<Configuration>.all.map(\.passedOn) }
  static var flagsInHelp: [Flag<Self>] { own }

  private static let own = [
    Flag<Self>(
      name: "product",
      value: "NAME",
      help: "the program to run",
      defaultValue: "the first executable in Package.swift"
    ) { (text, command) throws(BadValue) in
      guard !text.isEmpty else { throw BadValue(expected: "a name") }
      command.product = text
    }
  ]

  var product: String?
  /// The flags of `serve`, parsed to check them.
  fileprivate var configuration = Configuration()
  /// The flags of `serve` as given, by their names.
  fileprivate var passedOn: [String: String] = [:]

  func run(_ catalog: ViewModelCatalog, _ dependencies: Dependencies) async throws -> Int32 {
    let package = try DevPackage(product: product)
    let flags = passedOn.sorted { $0.key < $1.key }.flatMap { ["--" + $0.key, $0.value] }
    let publicFolder = configuration.publicFolder
    let timeout = configuration.drainDelay + configuration.drain + .seconds(5)
    signal(SIGPIPE, SIG_IGN)
    let signals = serviceSignals()
    try await withThrowingTaskGroup { group in
      group.addTask {
        let development = Development(
          package,
          flags: flags,
          publicFolder: publicFolder,
          timeout: timeout,
          time: dependencies.time
        )
        do {
          try await development.run()
        } catch is CancellationError {}
      }
      group.addTask { for await _ in signals { return } }
      _ = try await group.next()
      group.cancelAll()
      try await group.waitForAll()
    }
    return 0
  }
}

extension Flag<Configuration> {
  /// The same flag, passed on to the program.
  fileprivate var passedOn: Flag<DevCommand> {
    Flag<DevCommand>(
      name: name,
      value: value,
      help: help,
      defaultValue: defaultValue,
      isRepeatable: isRepeatable
    ) { (text, command) throws(BadValue) in
      try set(text, &command.configuration)
      command.passedOn[name] = text
    }
  }
}
