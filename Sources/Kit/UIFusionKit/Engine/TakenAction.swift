/// An action that a batch without Inputs stands for, with what its view model and its trace are told of it.
struct TakenAction {
  let action: any Sendable
  /// The reason why the message was refused that the action is of.
  var refusal: String?
  /// The session whose State the action is for.
  var followed: SessionAddress?

  /// Returns the result of performing the action, with what is told of it.
  func within<Result>(_ perform: (any Sendable) -> Result) -> Result {
    // Setting a task-local value costs more than a small turn.
    if refusal == nil, followed == nil, !Self.isCausing { return perform(action) }
    return InputSender.$refusal.withValue(refusal) {
      SessionAddress.$followed.withValue(followed) { perform(action) }
    }
  }

  /// Whether the running code performs such an action, of whichever engine.
  static var isCausing: Bool { InputSender.refusal != nil || SessionAddress.followed != nil }

  /// Runs a function of another engine, which is told nothing of the action that is being performed.
  static func withoutCause(_ body: () -> Void) {
    InputSender.$refusal.withValue(nil) { SessionAddress.$followed.withValue(nil, operation: body) }
  }
}
