/// An event in the life of a view model, as reported to interceptors.
///
/// Each event is delivered exactly once, in the order of occurrence. A turn begins with its Input, or with an
/// action that an effect sent. Its actions follow, each with the effects that it requested; then the State,
/// if it changed; then the end of the turn.
public enum TraceEvent<Model: ViewModel>: Sendable {
  /// An Input is about to be processed.
  case input(Model.Input)
  /// An action is about to be performed, or a mutation applied; `isSent` if an effect sent it.
  case action(Model.Action, isSent: Bool)
  /// An action requested an effect, described as Swift prints it.
  case effect(String)
  /// State changed from one version to the next.
  case state(Model.State, from: Model.State, version: Int)
  /// An action or an effect failed.
  case error(SendableError)
  /// A turn ended after a duration.
  case ended(Duration)
}

/// An observer of engines, for logs, metrics or debugging.
///
/// Interceptors are called on the engine and must not block.
public protocol Interceptor: Sendable {
  /// Takes one event of a view model.
  func intercept<Model: ViewModel>(_ event: TraceEvent<Model>)

  /// Returns the interceptor for one hosted session; by default this one.
  ///
  /// `session` is the beginning of the session's id. The whole id is a secret.
  func following(session: String) -> any Interceptor
}

extension Interceptor {
  /// Returns this interceptor itself.
  public func following(session: String) -> any Interceptor { self }
}
