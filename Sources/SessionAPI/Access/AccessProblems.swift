import HTTPMessages

extension Problem {
  /// RFC 9110 §15.5.20.
  static let misdirected = Problem(
    421,
    "misdirected-request",
    "Not a host of this service",
    detail: "Use a host name that the service is known by; --allow-host adds one."
  )

  static let foreignOrigin = Problem(
    403,
    "foreign-origin",
    "The page's origin is not allowed",
    detail: "Send this from a page of the service's own origin; --allow-origin adds another."
  )
}
