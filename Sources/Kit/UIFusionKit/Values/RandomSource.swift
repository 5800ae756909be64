import Synchronization

/// A source of random numbers: the system's, or a repeatable sequence from a seed.
///
/// Copies share one sequence.
public struct RandomSource: RandomNumberGenerator, Sendable {
  private final class Sequence: Sendable {
    let state: Mutex<UInt64>
    init(_ seed: UInt64) { state = Mutex(seed) }
  }

  private let sequence: Sequence?

  /// The system's generator.
  public static let system = RandomSource(sequence: nil)

  private init(sequence: Sequence?) {
    self.sequence = sequence
  }

  /// Creates a sequence that depends only on the seed (SplitMix64).
  public init(seed: UInt64) {
    sequence = Sequence(seed)
  }

  /// Returns the next 64 random bits.
  public func next() -> UInt64 {
    guard let sequence else {
      var system = SystemRandomNumberGenerator()
      return system.next()
    }
    return sequence.state.withLock { state in
      state &+= 0x9E37_79B9_7F4A_7C15
      var bits = state
      bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
      bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
      return bits ^ (bits >> 31)
    }
  }

  /// Returns a random number from a range.
  public func number(in range: ClosedRange<Int>) -> Int {
    var source = self
    return Int.random(in: range, using: &source)
  }

  /// Returns a new version 4 UUID in lower-case hexadecimal (RFC 9562 §5.4).
  public func uuid() -> String {
    let high = next() & 0xFFFF_FFFF_FFFF_0FFF | 0x4000
    let low = next() & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000
    let digits = hexadecimal(high) + hexadecimal(low)
    var text = ""
    for (place, digit) in digits.enumerated() {
      if [8, 12, 16, 20].contains(place) { text.append("-") }
      text.append(digit)
    }
    return text
  }

  private func hexadecimal(_ bits: UInt64) -> String {
    let digits = String(bits, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
