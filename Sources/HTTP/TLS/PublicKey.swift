import CFusionGnuTLS

/// A public key that verifies signatures, with the one algorithm of its kind (RFC 7518 §3.1, RFC 8037 §3.1).
///
/// Stored as text, since a GnuTLS object may be used by only one thread at a time.
package struct PublicKey: Sendable {
  package enum Algorithm: String, Sendable {
    /// RSA with PKCS #1 v1.5 padding and SHA-256.
    case rs256 = "RS256"
    /// ECDSA on the curve P-256 with SHA-256.
    case es256 = "ES256"
    /// Ed25519.
    case edDSA = "EdDSA"
  }

  /// The minimum number of bits of an RSA key (RFC 7518 §3.3).
  private static let leastRSABits: UInt32 = 2_048

  package let algorithm: Algorithm
  private let pem: [UInt8]

  /// Reads a key in PEM (RFC 7468 §13); nil for another text, another kind of key, or a key that is too
  /// short.
  package init?(pem: [UInt8]) {
    let algorithm: Algorithm?? = unsafe Self.read(pem) { key in
      var bits: UInt32 = 0
      let kind = unsafe gnutls_pubkey_get_pk_algorithm(key, &bits)
      switch UInt32(bitPattern: kind) {
      case GNUTLS_PK_RSA.rawValue where bits >= Self.leastRSABits: return .rs256
      case GNUTLS_PK_ECDSA.rawValue where bits == 256: return .es256
      case GNUTLS_PK_EDDSA_ED25519.rawValue: return .edDSA
      default: return nil
      }
    }
    guard let algorithm, let algorithm else { return nil }
    (self.algorithm, self.pem) = (algorithm, pem)
  }

  /// Returns whether a signature, in the form of a JSON Web Signature, is this key's for the bytes.
  package func isValid(_ signature: [UInt8], of bytes: [UInt8]) -> Bool {
    let sign: gnutls_sign_algorithm_t
    var signature = signature
    switch algorithm {
    case .rs256: sign = GNUTLS_SIGN_RSA_SHA256
    case .edDSA: sign = GNUTLS_SIGN_EDDSA_ED25519
    case .es256:
      guard signature.count == 64 else { return false }
      sign = GNUTLS_SIGN_ECDSA_SHA256
      signature = Self.sequence(signature.prefix(32), signature.suffix(32))
    }
    var bytes = bytes
    return unsafe Self.read(pem) { key in
      unsafe bytes.withUnsafeMutableBufferPointer { bytes in
        unsafe signature.withUnsafeMutableBufferPointer { signature in
          var data = unsafe Self.datum(bytes)
          var signed = unsafe Self.datum(signature)
          return unsafe gnutls_pubkey_verify_data2(key, sign, 0, &data, &signed) >= 0
        }
      }
    } ?? false
  }

  /// Reads a key for the duration of `body`; nil if the text is not a key.
  private static func read<Result>(
    _ pem: [UInt8],
    _ body: (gnutls_pubkey_t) -> Result
  ) -> Result? {
    var key: gnutls_pubkey_t?
    guard unsafe gnutls_pubkey_init(&key) == 0, let key = unsafe key else { return nil }
    defer { unsafe gnutls_pubkey_deinit(key) }
    var text = pem
    let isRead = unsafe text.withUnsafeMutableBufferPointer { text in
      var datum = unsafe Self.datum(text)
      return unsafe gnutls_pubkey_import(key, &datum, GNUTLS_X509_FMT_PEM) == 0
    }
    return isRead ? unsafe body(key) : nil
  }

  private static func datum(_ bytes: UnsafeMutableBufferPointer<UInt8>) -> gnutls_datum_t {
    unsafe gnutls_datum_t(data: bytes.baseAddress, size: UInt32(clamping: bytes.count))
  }

  /// Returns the two numbers of an ECDSA signature in DER (RFC 3279 §2.2.3).
  private static func sequence(_ r: ArraySlice<UInt8>, _ s: ArraySlice<UInt8>) -> [UInt8] {
    let integers = [r, s].flatMap { number in
      var digits = Array(number.drop { $0 == 0 })
      if digits.first.map({ $0 >= 0x80 }) != false { digits.insert(0, at: 0) }
      return [0x02, UInt8(digits.count)] + digits
    }
    return [0x30, UInt8(integers.count)] + integers
  }
}
