/// A State in the form that a committer takes: as bytes if the view model is hosted.
///
/// A class, so that a cast to the concrete type is a single comparison.
package protocol RenderedState: AnyObject, Sendable {
  /// The reason why the State is invalid; nil if it is valid.
  var invalid: InvalidState? { get }
  /// Whether this State or one shortly before took much work to write: turns must not run on a server's
  /// thread then.
  var wasCostly: Bool { get }

  /// Returns whether another State of the same view model has the same form, down to each byte.
  func isSame(as other: any RenderedState) -> Bool
}

extension RenderedState {
  package var invalid: InvalidState? { nil }
  package var wasCostly: Bool { false }
}

/// A State as a value of its own type.
package final class StateValue<State: Sendable>: RenderedState {
  package let value: State

  package init(_ value: State) {
    self.value = value
  }

  package func isSame(as other: any RenderedState) -> Bool {
    (other as? StateValue<State>).map { PartComparison.areSame(value, $0.value) != false } ?? false
  }
}

/// The reason why a State or an alarm is invalid; the turn that led to it is rolled back.
///
/// Indirect, to keep engines small: each reserves room for one, and few need it.
package indirect enum InvalidState: Error, Equatable {
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
