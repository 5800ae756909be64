import FusionStrictJSON

/// How a request arrived at the service, as its resource `connection` tells.
struct Route: Sendable, Equatable {
  enum Forwarded: String, Sendable { case none, believed, ignored }

  /// `HTTP/1.1`: what the service was spoken to in.
  let protocolVersion: String
  let scheme: String
  /// Empty where none came, as HTTP/1.0 allows.
  let host: String
  /// Empty, or `/app`.
  let basePath: String
  /// Whether headers of a proxy came, and whether the service believes them.
  let forwarded: Forwarded
  /// The client's address, where a proxy that is believed has told it.
  let client: String?
  /// How long a stream may be silent, in seconds.
  let heartbeat: Double

  /// Nil for an answer that does not tell.
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
