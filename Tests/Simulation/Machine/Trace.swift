/// The trace of a run: a fingerprint that two runs of a seed must share, and text on request.
struct Trace {
  private(set) var fingerprint: UInt64 = 0xCBF2_9CE4_8422_2325
  private(set) var lines: [String] = []
  private let isKeepingLines: Bool

  init(isKeepingLines: Bool) {
    self.isKeepingLines = isKeepingLines
  }

  mutating func add(_ value: Int, at time: Duration, _ text: () -> String?) {
    mix(UInt64(truncatingIfNeeded: value))
    mix(UInt64(truncatingIfNeeded: time.inMicroseconds))
    if isKeepingLines, let text = text() {
      let milliseconds = time.inMicroseconds / 1000
      let fraction = String(1000 + milliseconds % 1000).dropFirst()
      lines.append("\(milliseconds / 1000).\(fraction) \(text)")
    }
  }

  /// Mixes a word into the fingerprint (FNV-1a by words).
  private mutating func mix(_ word: UInt64) {
    fingerprint = (fingerprint ^ word) &* 0x100_0000_01B3
  }
}
