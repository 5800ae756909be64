import FusionHTTPMessages

/// The headers that nodes add to the requests of clients.
enum NodeHeaders {
  /// The request's ``Nonce``.
  static let stamp = "UIFusion-Node-Stamp"
  /// HMAC-SHA-256 of the request, in hexadecimal digits.
  static let signature = "UIFusion-Node-Signature"
  /// How the request arrived at the first node.
  static let arrival = "UIFusion-Node-Arrival"
  /// On an answer: why the request was not taken; see ``NodeRefusal``.
  static let refusal = "UIFusion-Node-Refusal"

  static let all = [stamp, signature, arrival, refusal]

  /// Fields of one connection alone (RFC 9110 §7.6.1), or of what frames a message on it.
  private static let ofConnection = [
    "Connection", "Keep-Alive", "Proxy-Connection", "TE", "Trailer", "Transfer-Encoding", "Upgrade",
    "Expect", "Content-Length", "Host",
  ]

  /// Whether a field is not passed on.
  static func stays(_ field: HTTPHeaders.Field) -> Bool {
    ofConnection.contains(where: field.isNamed) || all.contains(where: field.isNamed)
  }

  /// Whether a field is written by who sends and not by who asks: these are not signed.
  static func isUnsigned(_ field: HTTPHeaders.Field) -> Bool {
    ["Host", "Content-Length", "Connection", signature].contains(where: field.isNamed)
  }
}

/// Why another node has not taken a request.
enum NodeRefusal: String {
  /// Nobody with the secret has sent it to this process at this time.
  case unsigned
  /// It was taken before.
  case repeated
  /// It is not for this node, or another one has the session.
  case elsewhere
}
