import FusionHTTPMessages

/// The headers that nodes add to the requests of clients.
enum NodeHeaders {
  /// The request's ``Nonce``.
  static let nonce = "UIFusion-Node-Stamp"
  /// HMAC-SHA-256 of the request, in hexadecimal digits.
  static let signature = "UIFusion-Node-Signature"
  /// The way in which the request arrived at the first node, and its sender, as that node knows it.
  static let arrival = "UIFusion-Node-Arrival"
  /// The reason why a request was refused, on its response: a ``NodeRefusal``.
  static let refusal = "UIFusion-Node-Refusal"

  static let all = [nonce, signature, arrival, refusal]

  /// Fields that concern one connection (RFC 9110 §7.6.1), or the framing of a message on it.
  private static let ofConnection = [
    "Connection", "Keep-Alive", "Proxy-Connection", "TE", "Trailer", "Transfer-Encoding", "Upgrade",
    "Expect", "Content-Length", "Host",
  ]

  /// Fields that prove who sends a request; the first node has checked them.
  private static let credentials = ["Authorization", "Cookie"]

  /// Whether a field is not passed on.
  static func isStripped(_ field: HTTPHeaders.Field) -> Bool {
    [ofConnection, all, credentials].contains { $0.contains(where: field.isNamed) }
  }

  /// Whether the connection's ends write a field by themselves: such fields are not signed.
  static func isUnsigned(_ field: HTTPHeaders.Field) -> Bool {
    ["Host", "Content-Length", "Connection", signature].contains(where: field.isNamed)
  }
}

/// The reason why another node has refused a request.
enum NodeRefusal: String {
  /// The signature is not valid, or the calendars differ too much.
  case unsigned
  /// The request came before.
  case repeated
  /// The request is for another node, or another node has the session.
  case elsewhere
}
