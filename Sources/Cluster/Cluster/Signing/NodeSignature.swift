import FusionHTTPMessages
import FusionKeyedDigest

/// The signature of a request between nodes: HMAC-SHA-256 over the method, the target, all header fields that are passed
/// on, the nonce among them, and the digest of the body.
///
/// The key is made of two secrets that nodes share, so that nodes of another store with the same secret file are
/// refused. Nothing is encrypted, and responses are not signed: nodes need a network of their own.
package struct NodeSignature: Sendable {
  private let digest: KeyedDigest

  /// - Parameters:
  ///   - secret: the same on all nodes; empty where the store's own is enough.
  ///   - storeSecret: the secret of the store that the nodes share.
  package init(secret: [UInt8], storeSecret: [UInt8]) {
    let text = Array("uifusion nodes\n".utf8) + secret
    digest = KeyedDigest(secret: KeyedDigest(secret: storeSecret).digest(of: text))
  }

  /// Returns the signature in hexadecimal digits.
  func text(
    _ method: HTTPMethod,
    _ target: String,
    _ headers: HTTPHeaders,
    _ body: [UInt8]
  ) -> String {
    var text = Array("\(method.rawValue)\n\(target)\n".utf8)
    for field in headers.fields where !NodeHeaders.isUnsigned(field) {
      // Names and values have no line breaks (RFC 9110 §5.5), so no two sets of fields are written alike.
      text += field.name.lowercased().utf8
      text.append(UInt8(ascii: ":"))
      text += field.value.utf8
      text.append(UInt8(ascii: "\n"))
    }
    text.append(UInt8(ascii: "\n"))
    text += KeyedDigest.hash(body)
    return Hexadecimal.text(of: digest.digest(of: text))
  }

  /// Returns whether a request's signature is valid; compares in constant time.
  func isValid(on request: HTTPRequest) -> Bool {
    guard let given = request.headers[NodeHeaders.signature] else { return false }
    let right = text(request.method, request.target.text, request.headers, request.body)
    return KeyedDigest.areEqual(Array(given.utf8), Array(right.utf8))
  }
}
