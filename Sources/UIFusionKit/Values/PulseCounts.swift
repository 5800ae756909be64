/// The counts of all Pulses in a value, as they come while it is encoded.
///
/// An encoder's `userInfo` holds one; Pulses look for it there, and a State without Pulses never does.
package final class PulseCounts {
  private static let key = CodingUserInfoKey(rawValue: "UIFusionKit.PulseCounts")

  private var fingerprint: UInt64 = 0

  /// What an encoder is given as `userInfo`.
  package static func userInfo() -> [CodingUserInfoKey: Any] {
    key.map { [$0: PulseCounts()] } ?? [:]
  }

  /// Stands for the counts that have come: two States in which it differs have a Pulse assigned in
  /// between.
  ///
  /// 0 where there are none. For one Pulse no two counts give the same, for several no two likely ones.
  package static func fingerprint(in userInfo: [CodingUserInfoKey: Any]) -> UInt64 {
    found(in: userInfo)?.fingerprint ?? 0
  }

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
