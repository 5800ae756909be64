/// The counts of all Pulses in a value, as they come while it is encoded.
package final class PulseCounts: @unchecked Sendable {
  // Guard: made, added to and read within one call of `of(_:)`, by its thread.
  private var fingerprint: UInt64 = 0

  /// Those that Pulses add to which are encoded at this moment, by this task or thread.
  @TaskLocal private static var current: PulseCounts?

  /// Encodes a value, and tells what stands for the counts of the Pulses in it: two States in which that
  /// differs have a Pulse assigned in between.
  ///
  /// 0 where there are none. For one Pulse no two counts give the same, for several no two likely ones.
  package static func of<Text>(_ encode: () throws -> Text) rethrows -> (Text, fingerprint: UInt64)
  {
    let counts = PulseCounts()
    let text = try $current.withValue(counts, operation: encode)
    return (text, counts.fingerprint)
  }

  static func add(_ count: Int) {
    current?.add(UInt64(truncatingIfNeeded: count))
  }

  /// The mixing of SplitMix64, which maps one to one.
  private func add(_ count: UInt64) {
    var mixed = fingerprint &+ count &+ 0x9E37_79B9_7F4A_7C15
    mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
    fingerprint = mixed ^ mixed >> 31
  }
}
