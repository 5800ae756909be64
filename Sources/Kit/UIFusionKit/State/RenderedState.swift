/// A State in the form that a committer takes: as bytes if the view model is hosted.
///
/// A class, so that a cast to the concrete type is a mere comparison.
package protocol RenderedState: AnyObject, Sendable {
  /// The reason why the State is invalid; nil if it is valid.
  var invalid: InvalidState? { get }
  /// Whether it took much to write, or those shortly before it: turns then must not run on a server's thread.
  var tookMuch: Bool { get }
}

extension RenderedState {
  package var invalid: InvalidState? { nil }
  package var tookMuch: Bool { false }
}

/// A State in its own type.
package final class StateValue<State: Sendable>: RenderedState {
  package let value: State

  package init(_ value: State) {
    self.value = value
  }
}

/// The reason why a State, or an alarm, is invalid; a turn that led to it is rolled back.
///
/// Indirect, to keep engines small: each has room for one, and nearly none needs it.
package indirect enum InvalidState: Error, Equatable {
  /// The State has more bytes than allowed.
  case tooLarge(limit: Int)
  /// The State cannot be encoded; `member` is the path of the member at fault, and `reason` is for the
  /// log.
  case notWritable(member: String?, reason: String)
  /// More alarms would be set than allowed.
  case tooManyAlarms(limit: Int)
  /// The alarms would have more bytes than allowed.
  case alarmsTooLarge(limit: Int)
  /// The action of an alarm cannot be encoded, or decoded; `reason` is for the log.
  case alarm(String, reason: String)
  /// A followed session's State cannot be read as the type; `reason` is for the log.
  case followed(String, reason: String)
}
