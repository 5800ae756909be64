/// How a request arrived, which its own bytes do not tell: the connection does, or a proxy that is trusted.
package struct ConnectionInfo: Sendable {
  /// Who sent it; nil where the connection has no address (a Unix socket).
  package var client: IPAddress?
  /// Whether the client spoke TLS.
  package var isEncrypted = false
  /// Whether the request is of HTTP/1.1, and not of 1.0.
  package var isHTTP11 = true
  /// Whether a proxy has told any of this, and was believed.
  package var isForwarded = false
  /// Whether it has told who the client is.
  package var isClientForwarded = false

  package init() {}

  package var scheme: String { isEncrypted ? "https" : "http" }
}
