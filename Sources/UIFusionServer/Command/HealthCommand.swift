import UIFusionKit

/// Asks a service on this machine whether it is ready, as a container's health check does.
struct HealthCommand: Command {
  static let name = "health"
  static let summary = "exit 0 if the service is ready, 1 if not"
  static var flags: [Flag<Self>] {
    [
      Flag(.host, of: \.configuration), Flag(.port, of: \.configuration),
      Flag(.adminPort, of: \.configuration),
    ]
  }

  /// Only where the service listens.
  var configuration = Configuration()

  func run(_ catalog: ViewModelCatalog, _ dependencies: Dependencies) async throws -> Int32 {
    let host = configuration.host
    // Where the service has one, it answers there however many connections it has.
    let port = configuration.adminPort ?? configuration.port
    if isReady(host: host, port: port) { return 0 }
    throw NotReady(host: host, port: port)
  }
}

private struct NotReady: Error, CustomStringConvertible {
  let host: String
  let port: Int

  var description: String {
    "the service at \(host), port \(port), is not ready or does not answer"
  }
}
