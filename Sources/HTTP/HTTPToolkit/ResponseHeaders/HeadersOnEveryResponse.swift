package import FusionHTTPMessages

/// Returns the headers that every response gets unless it has a field with the same name (OWASP Secure
/// Headers).
///
/// The server also adds them to the responses with which it rejects a request, but not to the few that
/// libmicrohttpd creates by itself. A header whose value depends on the request is added by a
/// ``ResponseStep``.
///
/// With the referrer policy, a plain form of the service's own page sends its `Origin`: with `no-referrer` it would
/// send `null`.
///
/// With a `securityAge`, browsers use only TLS for this host for that many seconds (HSTS, RFC 6797 §6.1).
package func headersOnEveryResponse(
  _ policy: ContentSecurityPolicy,
  securityAge: Int? = nil
) -> [HTTPHeaders.Field] {
  var fields = [
    HTTPHeaders.Field(name: "X-Content-Type-Options", value: "nosniff"),
    HTTPHeaders.Field(name: "Content-Security-Policy", value: policy.text),
    HTTPHeaders.Field(name: "Referrer-Policy", value: "same-origin"),
    HTTPHeaders.Field(name: "Cross-Origin-Resource-Policy", value: "same-origin"),
  ]
  if let securityAge {
    fields.append(.init(name: "Strict-Transport-Security", value: "max-age=\(securityAge)"))
  }
  return fields
}
