import CFusionNettle

/// HMAC-SHA-256 (RFC 2104, FIPS 180-4), to compare texts without storing them.
///
/// Without the secret, no one can find two texts with the same digest, or guess a short text from its digest.
/// Calls share no mutable state, so any thread may call.
package struct KeyedDigest: Sendable {
  /// The state after the secret, from which every digest starts.
  private let start: hmac_sha256_ctx

  /// Creates a digest with a secret of any length; more than 32 random bytes gain nothing (RFC 2104 §3).
  package init(secret: [UInt8]) {
    var context = hmac_sha256_ctx()
    unsafe nettle_hmac_sha256_set_key(&context, secret.count, secret)
    start = context
  }

  /// Returns the SHA-256 of a text, without the secret.
  package static func hash(_ bytes: [UInt8]) -> [UInt8] {
    var context = sha256_ctx()
    unsafe nettle_sha256_init(&context)
    unsafe nettle_sha256_update(&context, bytes.count, bytes)
    return unsafe [UInt8](unsafeUninitializedCapacity: Int(SHA256_DIGEST_SIZE)) { digest, count in
      unsafe nettle_sha256_digest(&context, digest.count, digest.baseAddress)
      count = digest.count
    }
  }

  /// Returns whether two digests are equal, in a time that does not reveal where they differ.
  package static func areEqual(_ a: [UInt8], _ b: [UInt8]) -> Bool {
    guard a.count == b.count else { return false }
    return zip(a, b).reduce(into: 0 as UInt8) { $0 |= $1.0 ^ $1.1 } == 0
  }

  /// Returns the text's digest of 32 bytes.
  package func digest(of bytes: [UInt8]) -> [UInt8] {
    var context = start
    unsafe nettle_hmac_sha256_update(&context, bytes.count, bytes)
    return unsafe [UInt8](unsafeUninitializedCapacity: Int(SHA256_DIGEST_SIZE)) { digest, count in
      unsafe nettle_hmac_sha256_digest(&context, digest.count, digest.baseAddress)
      count = digest.count
    }
  }
}
