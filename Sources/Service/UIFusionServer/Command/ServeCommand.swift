import Dispatch
import FusionCommandLine
import Glibc
import UIFusionKit

/// Runs the service until a signal stops it.
struct ServeCommand: Command {
  static let name = "serve"
  static let summary = "run the service"
  static var flags: [Flag<Self>] { Flag<Configuration>.all.map { Flag($0, of: \.configuration) } }

  /// The configuration; its defaults fit the memory that the process may use.
  var configuration = Configuration().fitting(.own)

  /// The program's own routes and middleware.
  var routes = Routes()

  func validate() throws(UsageError) {
    guard (configuration.tlsCertificate == nil) == (configuration.tlsKey == nil) else {
      throw UsageError("--tls-cert and --tls-key go together: give both, or neither")
    }
  }

  func run(_ catalog: ViewModelCatalog, _ dependencies: Dependencies) async throws -> Int32 {
    // The reader of the log or the output may go away at any time.
    signal(SIGPIPE, SIG_IGN)
    let notifier = SystemdNotifier()
    var configuration = configuration
    if let socket = try notifier.takeSocket() { try configuration.take(socket: socket) }
    let signals = serviceSignals()
    let service = try Service(catalog, configuration, dependencies: dependencies, routes: routes)
    writeToStandardOutput("listening on \(service.url)\n")
    notifier.notify("READY=1")
    // Serial, so that an older version of a file never replaces a newer one.
    let reloading = DispatchQueue(label: "reload")
    var isStopping = false
    for await number in signals {
      if number == SIGHUP {
        // On its own thread: a file system that hangs must not delay a stop.
        reloading.async { service.reload() }
        continue
      }
      // A second signal ends the process at once, with the exit code that a shell gives for a signal.
      if isStopping { exit(128 + number) }
      isStopping = true
      notifier.notify("STOPPING=1")
      Task.detached {
        await service.stop()
        exit(0)
      }
    }
    return 0
  }
}
