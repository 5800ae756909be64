package import HTTPMessages

/// What every answer carries unless it has a field of that name itself, the server's own included
/// (OWASP Secure Headers; CSP Level 3).
///
/// The pages need nothing but themselves: no inline script or style, no other host. A header whose value
/// depends on the request is added by an ``AnswerStep``.
package let headersOnEveryAnswer = [
  HTTPHeaders.Field(name: "X-Content-Type-Options", value: "nosniff"),
  HTTPHeaders.Field(
    name: "Content-Security-Policy",
    value: "default-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
  ),
  HTTPHeaders.Field(name: "Referrer-Policy", value: "no-referrer"),
  HTTPHeaders.Field(name: "Cross-Origin-Resource-Policy", value: "same-origin"),
]
