package import FusionHTTPMessages

/// Returns the headers of every response that has no field of the same name itself (OWASP Secure Headers).
///
/// The server adds these headers also to the responses with which it rejects a request, but not to the few that
/// libmicrohttpd forms by itself. A header whose value depends on the request is added by a ``ResponseStep``.
///
/// With a `securityAge`, browsers are to ask this host over TLS alone for as many seconds (HSTS, RFC 6797 §6.1).
package func headersOnEveryResponse(
  _ policy: ContentSecurityPolicy,
  securityAge: Int? = nil
) -> [HTTPHeaders.Field] {
  var fields = [
    HTTPHeaders.Field(name: "X-Content-Type-Options", value: "nosniff"),
    HTTPHeaders.Field(name: "Content-Security-Policy", value: policy.text),
    HTTPHeaders.Field(name: "Referrer-Policy", value: "no-referrer"),
    HTTPHeaders.Field(name: "Cross-Origin-Resource-Policy", value: "same-origin"),
  ]
  if let securityAge {
    fields.append(.init(name: "Strict-Transport-Security", value: "max-age=\(securityAge)"))
  }
  return fields
}
