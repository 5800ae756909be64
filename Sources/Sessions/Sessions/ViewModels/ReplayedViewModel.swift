package import UIFusionKit

/// A view model that does a stored session's actions again, in bytes.
///
/// The members beside State go on from action to action; effects are not carried out. Belongs to the isolation that made
/// it.
package protocol ReplayedViewModel: AnyObject {
  /// The members in which stored States differed from their current type.
  var changes: StateChanges { get }

  /// Does an action as it was recorded.
  ///
  /// - Throws: An error if it cannot be read.
  nonisolated(nonsending) func redo(_ action: [UInt8]) async throws

  /// Returns the difference from a stored State; nil if there is none, secrets aside.
  ///
  /// - Throws: An error if the stored State cannot be read.
  func difference(from state: [UInt8], format: Int) throws -> StateDifference?

  /// Continues from a stored State, unless there is no difference.
  ///
  /// - Throws: An error if it cannot be read.
  func goOn(from state: [UInt8], format: Int) throws
}

/// The reason why a view model's actions cannot be done again.
package struct NotReplayable: Error, CustomStringConvertible {
  /// A sentence without capital and full stop.
  package let description: String

  package init(_ description: String) {
    self.description = description
  }
}
