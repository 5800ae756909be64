/// The reason why an Input is rejected: nothing of its turn stands.
///
/// Indirect, to keep what carries one small: few do.
package indirect enum TurnRejection: Sendable, Equatable {
  /// The view model's rule denies the Input in this State, and it did not run; the sentence is for the sender.
  case denied(String)
  /// The turn led to an invalid State or alarm, and was rolled back.
  case invalid(InvalidState)
}
