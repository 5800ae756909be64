/// A generator of random numbers from a seed, SplitMix64 (https://prng.di.unimi.it/splitmix64.c).
package struct Generator: RandomNumberGenerator, Sendable {
  private var state: UInt64

  package init(seed: UInt64) { state = seed }

  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var value = state
    value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
    return value ^ (value >> 31)
  }

  /// Returns an independent generator.
  package mutating func split() -> Generator { Generator(seed: next()) }

  package mutating func isChosen(percent: Int) -> Bool {
    Int.random(in: 0..<100, using: &self) < percent
  }
}
