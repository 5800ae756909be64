#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A fingerprint of the counts of all pulses in a value, collected while the value is encoded.
package enum PulseCounts {
  /// The key of the fingerprint of the value that the thread is encoding; unset otherwise.
  private static let key: pthread_key_t = {
    var key = pthread_key_t()
    precondition(
      pthread_key_create(&key, nil) == 0,
      "no thread-specific key left (pthread_key_create(3))"
    )
    return key
  }()

  /// Encodes a value, and returns its text with the fingerprint of the pulses in it.
  ///
  /// If the fingerprints of two States differ, a pulse was assigned between them. Without pulses the
  /// fingerprint is 0. Counts of a single pulse never collide, those of several are unlikely to.
  ///
  /// - Parameter encode: encodes the value; calls `restart` when it starts over.
  /// - Returns: the text and the fingerprint.
  package static func of<Text>(
    _ encode: (_ restart: () -> Void) throws -> Text
  ) rethrows -> (Text, fingerprint: UInt64) {
    var fingerprint: UInt64 = 0
    let text = try withUnsafeMutablePointer(to: &fingerprint) { own in
      // Guard: the calling thread encodes the value, and the pointer is reset before it dies.
      let outer = pthread_getspecific(key)
      pthread_setspecific(key, own)
      defer { pthread_setspecific(key, outer) }
      return try encode { own.pointee = 0 }
    }
    return (text, fingerprint)
  }

  /// The fingerprint of the pulses encoded so far by this thread.
  package static var soFar: UInt64 {
    // Guard: the pointer is set by `of(_:)` of this thread, which has not returned.
    pthread_getspecific(key)?.assumingMemoryBound(to: UInt64.self).pointee ?? 0
  }

  static func add(_ count: Int) {
    // Guard: the pointer is set by `of(_:)` of this thread, which has not returned.
    guard let own = pthread_getspecific(key)?.assumingMemoryBound(to: UInt64.self) else { return }
    own.pointee = mix(own.pointee, UInt64(truncatingIfNeeded: count))
  }

  /// Mixes like SplitMix64, one to one.
  private static func mix(_ fingerprint: UInt64, _ count: UInt64) -> UInt64 {
    var mixed = fingerprint &+ count &+ 0x9E37_79B9_7F4A_7C15
    mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
    return mixed ^ mixed >> 31
  }
}
