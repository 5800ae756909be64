package import FusionHTTPMessages

/// What every answer carries unless it has a field of that name itself (OWASP Secure Headers): also those
/// with which the server rejects a request, but not the few that libmicrohttpd makes by itself.
///
/// A header whose value depends on the request is added by an ``AnswerStep``.
///
/// Browsers are to ask this host over TLS alone for `securityAge` seconds, where there is one (HSTS, RFC 6797
/// §6.1).
package func headersOnEveryAnswer(
  _ policy: ContentSecurityPolicy,
  securityAge: Int? = nil
) -> [HTTPHeaders.Field] {
  let security = securityAge.map { age in
    HTTPHeaders.Field(name: "Strict-Transport-Security", value: "max-age=\(age)")
  }
  return [
    HTTPHeaders.Field(name: "X-Content-Type-Options", value: "nosniff"),
    HTTPHeaders.Field(name: "Content-Security-Policy", value: policy.text),
    HTTPHeaders.Field(name: "Referrer-Policy", value: "no-referrer"),
    HTTPHeaders.Field(name: "Cross-Origin-Resource-Policy", value: "same-origin"),
  ] + (security.map { [$0] } ?? [])
}
