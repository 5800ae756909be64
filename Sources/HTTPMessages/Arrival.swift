/// How a request arrived, which its own bytes do not tell: the connection does, or a proxy that is trusted.
package struct Arrival: Sendable {
  /// Who sent it; nil where the connection has no address (a Unix socket).
  package var client: IPAddress?
  /// Whether the client spoke TLS.
  package var isEncrypted = false
  /// Whether the connection speaks HTTP/1.1, and not 1.0.
  package var isPersistent = true
  /// Whether a proxy told the rest, and was believed.
  package var isForwarded = false

  package init() {}

  package var scheme: String { isEncrypted ? "https" : "http" }
}
