package import UIFusionKit

/// A State as JSON.
package final class EncodedState: RenderedState {
  /// The JSON.
  package let bytes: [UInt8]
  /// A number that changes with the counts of the State's Pulses.
  package let pulses: UInt64
  package let unfit: InvalidState?

  package let isLarge: Bool

  /// `copied` says how many of the bytes were not written, but copied from the State before.
  package init(_ bytes: [UInt8], copied: Int = 0, pulses: UInt64 = 0, unfit: InvalidState? = nil) {
    self.bytes = bytes
    self.pulses = pulses
    self.unfit = unfit
    // From here on a turn takes three times as long as one with a small State. To compare, to copy and to
    // answer takes an eighth of what it takes to write.
    isLarge = bytes.count - copied + copied / 8 >= 16 << 10
  }
}
