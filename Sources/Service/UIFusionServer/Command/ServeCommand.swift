import Dispatch
import Glibc
import UIFusionKit

/// Runs the service until a signal stops it.
struct ServeCommand: Command {
  static let name = "serve"
  static let summary = "run the service"
  static var flags: [Flag<Self>] { Flag<Configuration>.all.map { Flag($0, of: \.configuration) } }

  /// Where memory is limited, the defaults are what fits.
  var configuration = Configuration().fitting(.own)

  func validate() throws(UsageError) {
    guard (configuration.tlsCertificate == nil) == (configuration.tlsKey == nil) else {
      throw UsageError("--tls-cert and --tls-key go together: give both, or neither")
    }
  }

  func run(_ catalog: ViewModelCatalog, _ dependencies: Dependencies) async throws -> Int32 {
    // Whoever reads the log or the output may go at any time.
    signal(SIGPIPE, SIG_IGN)
    let manager = ServiceManager()
    var configuration = configuration
    if let socket = try manager.takeSocket() { try configuration.take(socket: socket) }
    let signals = serviceSignals()
    let service = try Service(catalog, configuration, dependencies: dependencies)
    writeToStandardOutput("listening on \(service.url)\n")
    manager.notify("READY=1")
    // Serial: what was read first is not to be the last that is shown.
    let rereading = DispatchQueue(label: "reread")
    var isStopping = false
    for await number in signals {
      if number == SIGHUP {
        // On a thread of its own: a file system that hangs shall not keep it from stopping.
        rereading.async { service.reread() }
        continue
      }
      // The second signal means now; the shell's number for a process that a signal ended.
      if isStopping { exit(128 + number) }
      isStopping = true
      manager.notify("STOPPING=1")
      Task.detached {
        await service.stop()
        exit(0)
      }
    }
    return 0
  }
}
