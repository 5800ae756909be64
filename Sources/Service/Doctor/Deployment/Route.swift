import FusionStrictJSON

/// A request as it arrived at the service, from its resource `/connection`.
struct Route: Sendable, Equatable {
  enum Forwarded: String, Sendable { case none, believed, ignored }

  /// The HTTP version of the request to the service: `HTTP/1.1`.
  let protocolVersion: String
  let scheme: String
  /// The host; empty if none came, as HTTP/1.0 allows.
  let host: String
  /// The service's base path: empty, or `/app`.
  let basePath: String
  /// Whether forwarded headers came, and whether the service trusts them.
  let forwarded: Forwarded
  /// The client's address, if a trusted proxy forwarded it.
  let client: String?
  /// The longest silence of a stream, in seconds.
  let heartbeat: Double

  /// Reads the answer of `/connection`; fails for any other.
  init?(_ json: JSONTree?) {
    guard let json, let protocolVersion = json["protocol"]?.string,
      let scheme = json["scheme"]?.string,
      let forwarded = json["forwarded"]?.string.flatMap(Forwarded.init)
    else { return nil }
    self.protocolVersion = protocolVersion
    self.scheme = scheme
    host = json["host"]?.string ?? ""
    self.forwarded = forwarded
    client = json["client"]?.string
    let path = json["basePath"]?.string ?? ""
    basePath = path.hasSuffix("/") ? String(path.dropLast()) : path
    heartbeat = json["heartbeat"]?.number ?? 15
  }
}
