/// The reason why a turn is rolled back: its Input is denied, or a State or an alarm that it leads to is invalid.
///
/// Indirect, to keep engines small: each reserves room for one, and few need it.
package indirect enum TurnRejection: Error, Equatable {
  /// The view model's rule denies the Input in this State; the reason is for the sender.
  case denied(String)
  /// The State has more bytes than allowed.
  case tooLarge(limit: Int)
  /// The State cannot be encoded; `member` is the path of the faulty member, and `reason` is for the log.
  case notWritable(member: String?, reason: String)
  /// More alarms than allowed would be set.
  case tooManyAlarms(limit: Int)
  /// The alarms would have more bytes than allowed.
  case alarmsTooLarge(limit: Int)
  /// The action of an alarm cannot be encoded or decoded; `reason` is for the log.
  case alarm(String, reason: String)
  /// A followed session's State cannot be decoded as the type; `reason` is for the log.
  case followed(String, reason: String)
}
