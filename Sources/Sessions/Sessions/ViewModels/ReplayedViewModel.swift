/// A view model that does a stored session's actions again, in bytes.
///
/// What it keeps beside its State goes on from action to action; effects are not carried out. Belongs to
/// the isolation that made it.
package protocol ReplayedViewModel: AnyObject {
  /// The members that stored States lacked, and a fresh State has supplied.
  var added: Set<String> { get }

  /// Does an action as it was recorded.
  ///
  /// - Throws: what keeps it from being read.
  nonisolated(nonsending) func redo(_ action: [UInt8]) async throws

  /// How State differs from a stored one; nil where it does not, secrets aside.
  ///
  /// - Throws: what keeps the stored State from being read.
  func difference(from state: [UInt8], format: Int) throws -> ReplayedDifference?

  /// Takes a stored State for its own, unless there is no difference.
  ///
  /// - Throws: what keeps it from being read.
  func goOn(from state: [UInt8], format: Int) throws
}

/// What differs between a stored State and the one that a replay has come to.
package struct ReplayedDifference: Sendable, Equatable {
  /// A line for each member: stored → replayed.
  package let text: String
  /// The stored State as it would be written today, in JSON.
  package let stored: [UInt8]
  /// The other, in JSON.
  package let replayed: [UInt8]

  package init(text: String, stored: [UInt8], replayed: [UInt8]) {
    self.text = text
    self.stored = stored
    self.replayed = replayed
  }
}

/// Why a view model's actions cannot be done again.
package struct NotReplayable: Error, CustomStringConvertible {
  /// A sentence without capital and full stop.
  package let description: String

  package init(_ description: String) {
    self.description = description
  }
}
