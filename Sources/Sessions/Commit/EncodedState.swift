package import UIFusionKit

/// A State as a view model's host writes it.
package final class EncodedState: RenderedState {
  /// As JSON.
  package let bytes: [UInt8]
  /// Stands for the counts of its Pulses.
  package let pulses: UInt64
  package let unfit: UnfitState?

  /// From here on encoding, comparing and storing take half a millisecond and more.
  package var isLarge: Bool { bytes.count >= 16 << 10 }

  package init(_ bytes: [UInt8], pulses: UInt64 = 0, unfit: UnfitState? = nil) {
    self.bytes = bytes
    self.pulses = pulses
    self.unfit = unfit
  }
}
