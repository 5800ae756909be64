import Foundation
import Testing
import UIFusionKit

struct `Arithmetic on times from outside` {
  private let random = RandomSource(seed: 41)

  private func attoseconds() -> Int128 {
    let edges: [Int128] = [.min, .min + 1, -1, 0, 1, .max - 1, .max]
    let any = Int128(truncatingIfNeeded: random.next()) << 64 | Int128(random.next())
    return random.number(in: 0...1) == 0
      ? edges[random.number(in: 0...6)] : any >> Int128(random.number(in: 0...127))
  }

  @Test func `gives the nearest duration that there is`() {
    for _ in 0..<10_000 {
      let (a, b) = (attoseconds(), attoseconds())
      let (one, other) = (Duration(attoseconds: a), Duration(attoseconds: b))
      // Halves cannot overflow.
      let (half, otherHalf) = (Double(a) / 2, Double(b) / 2)
      for (result, expected) in [
        (one.adding(other), half + otherHalf), (one.subtracting(other), half - otherHalf),
      ] {
        let limit = Double(Int128.max) / 2
        let bounded = max(-limit, min(expected, limit))
        #expect(abs(Double(result.attoseconds) / 2 - bounded) < 1e24)
      }
      #expect(one.milliseconds == Int64(clamping: a / 1_000_000_000_000_000))
      // Both are rounded to 53 bits.
      let seconds = Double(one.secondsRoundedUp).magnitude * 1e18
      #expect(seconds * (1 + 1e-15) >= min(Double(a).magnitude, 9.2e36))
    }
  }

  @Test(arguments: [-.infinity, -1e300, -1e12, -0.0005, 0, 1e12, 1e300, .infinity, .nan])
  func `moves dates into the range that can be stored`(seconds: Double) {
    let milliseconds = Date(timeIntervalSince1970: seconds).milliseconds
    #expect(Date.storable.contains(milliseconds))
    let expected = seconds.isNaN ? 0 : max(-253_402_300_800, min(seconds, 253_402_300_800))
    #expect(Double(milliseconds) == (expected * 1000).rounded(.down))
  }
}
