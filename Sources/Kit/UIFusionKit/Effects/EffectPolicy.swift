/// What to do where an effect with the same id is running already.
public enum EffectPolicy: Sendable, Equatable {
  /// Cancel the one that is running, and start the new one.
  case replace
  /// Leave the one that is running alone, and drop the new one.
  case keep
  /// Start the new one when the others are over; past that many in waiting, drop it.
  case queue(limit: Int)
}
