/// A kind of a view model's code; the numbers are stored, and count the cases.
package enum RunningCode: UInt8, Sendable, CaseIterable {
  /// A part of the view model's work behind a suspension.
  case work = 0
  /// The creation of the view model, with the parameters of a new session.
  case creation = 1
  /// The creation of the view model, with a stored State.
  case waking = 2
  /// The reading of an Input from JSON.
  case reading = 3
  case started = 4
  case restored = 5
  case input = 6
  /// An Input that another session has sent.
  case message = 7
  /// An action that an effect has sent.
  case action = 8
  case alarm = 9
  /// The State of a followed session.
  case following = 10
  /// The handling of an effect's error.
  case failure = 11
  case effect = 12
  /// The end of the session.
  case end = 13
}
