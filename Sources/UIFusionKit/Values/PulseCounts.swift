/// The counts of all Pulses in a value, as they come while it is encoded.
///
/// An encoder's `userInfo` holds one; Pulses look for it there, and a State without Pulses never does.
package final class PulseCounts {
  // Short: it is hashed with each Pulse.
  private static let key = CodingUserInfoKey(rawValue: "PulseCounts")

  /// Stands for the counts that have come: two States in which it differs have a Pulse assigned in
  /// between.
  ///
  /// 0 where there are none. For one Pulse no two counts give the same, for several no two likely ones.
  package private(set) var fingerprint: UInt64 = 0

  package init() {}

  /// What an encoder is given as `userInfo`.
  package var userInfo: [CodingUserInfoKey: Any] { Self.key.map { [$0: self] } ?? [:] }

  static func add(_ count: Int, to userInfo: [CodingUserInfoKey: Any]) {
    found(in: userInfo)?.add(UInt64(truncatingIfNeeded: count))
  }

  /// The mixing of SplitMix64, which maps one to one.
  private func add(_ count: UInt64) {
    var mixed = fingerprint &+ count &+ 0x9E37_79B9_7F4A_7C15
    mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
    fingerprint = mixed ^ mixed >> 31
  }

  private static func found(in userInfo: [CodingUserInfoKey: Any]) -> PulseCounts? {
    key.flatMap { userInfo[$0] as? PulseCounts }
  }
}
