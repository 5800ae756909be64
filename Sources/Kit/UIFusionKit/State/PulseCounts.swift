#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The counts of all Pulses in a value, as they come while it is encoded.
package enum PulseCounts {
  /// Where a thread has the fingerprint of the value that it encodes; nothing while it encodes none.
  private static let place: pthread_key_t = {
    var key = pthread_key_t()
    precondition(
      pthread_key_create(&key, nil) == 0,
      "no thread-specific key (pthread_key_create(3))"
    )
    return key
  }()

  /// Encodes a value, and tells what stands for the counts of the Pulses in it: two States in which that
  /// differs have a Pulse assigned in between.
  ///
  /// 0 where there are none. For one Pulse no two counts give the same, for several no two likely ones.
  /// `encode` calls `restart` where it begins anew.
  package static func of<Text>(
    _ encode: (_ restart: () -> Void) throws -> Text
  ) rethrows -> (Text, fingerprint: UInt64) {
    var fingerprint: UInt64 = 0
    let text = try withUnsafeMutablePointer(to: &fingerprint) { own in
      // Guard: a value is encoded by the thread that calls this, and the pointer is taken back first.
      let outer = pthread_getspecific(place)
      pthread_setspecific(place, own)
      defer { pthread_setspecific(place, outer) }
      return try encode { own.pointee = 0 }
    }
    return (text, fingerprint)
  }

  /// What stands for the Pulses so far, of the value that this thread encodes.
  package static var soFar: UInt64 {
    // Guard: as below.
    pthread_getspecific(place)?.assumingMemoryBound(to: UInt64.self).pointee ?? 0
  }

  static func add(_ count: Int) {
    // Guard: what `of(_:)` has put there, which has not returned.
    guard let own = pthread_getspecific(place)?.assumingMemoryBound(to: UInt64.self) else { return }
    own.pointee = mix(own.pointee, UInt64(truncatingIfNeeded: count))
  }

  /// The mixing of SplitMix64, which maps one to one.
  private static func mix(_ fingerprint: UInt64, _ count: UInt64) -> UInt64 {
    var mixed = fingerprint &+ count &+ 0x9E37_79B9_7F4A_7C15
    mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
    return mixed ^ mixed >> 31
  }
}
