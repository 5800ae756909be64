/// A State in the form that a committer takes: as bytes if the view model is hosted.
///
/// A class, so that a cast to the concrete type is a single comparison.
package protocol RenderedState: AnyObject, Sendable {
  /// The reason why the State is invalid; nil if it is valid.
  var invalid: TurnRejection? { get }
  /// Whether this State or one shortly before took much work to write: turns must not run on a server's
  /// thread then.
  var wasCostly: Bool { get }

  /// Returns whether another State of the same view model has the same form, down to each byte.
  func isSame(as other: any RenderedState) -> Bool
}

extension RenderedState {
  package var invalid: TurnRejection? { nil }
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
