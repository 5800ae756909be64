import UIFusionKit

/// Asks a service on this machine whether it is ready, as a container's health check does.
struct HealthCommand: Command {
  static let name = "health"
  static let summary = "exit 0 if the service is ready, 1 if not"
  static var flags: [Flag<Self>] {
    [
      Flag(.host, of: \.configuration), Flag(.port, of: \.configuration),
      Flag(.socket, of: \.configuration), Flag(.adminPort, of: \.configuration),
    ]
  }

  /// Only where the service listens.
  var configuration = Configuration()

  func run(_ catalog: ViewModelCatalog, _ dependencies: Dependencies) async throws -> Int32 {
    let place = configuration.placeOfHealth
    if isReady(at: place) { return 0 }
    throw NotReady(place: place)
  }
}

extension Configuration {
  /// Where the service has a port for it, it answers there however many connections it has.
  fileprivate var placeOfHealth: HealthPlace {
    if adminPort == nil, let socket { return .socket(path: socket) }
    return .port(adminPort ?? port, host: host)
  }
}

private struct NotReady: Error, CustomStringConvertible {
  let place: HealthPlace

  var description: String {
    switch place {
    case .port(let port, let host):
      "the service at \(host), port \(port), is not ready or does not answer"
    case .socket(let path):
      "the service at \(path) is not ready or does not answer"
    }
  }
}
