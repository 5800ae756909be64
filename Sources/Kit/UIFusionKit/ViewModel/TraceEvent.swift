/// Something that an engine did for a view model, as interceptors see it.
///
/// Each is told exactly once, in the order in which things happened. A turn begins with its Input, or
/// with an action that an effect sent; then come its actions, each followed by the effects that it
/// asked for; then the State, if it changed; then the turn's end.
public enum TraceEvent<Model: ViewModel>: Sendable {
  /// An Input is being processed.
  case input(Model.Input)
  /// An action is about to be done, or a mutation to become State; `isSent` where an effect sent it.
  case action(Model.Action, isSent: Bool)
  /// An action asked for an effect; how Swift prints it.
  case effect(String)
  /// State changed from one version to the next.
  case state(Model.State, from: Model.State, version: Int)
  /// An action or an effect failed.
  case error(SendableError)
  /// A turn is over; how long it took.
  case ended(Duration)
}

/// Looks on while an engine works: for logs, for metrics, for debugging.
///
/// Called on the engine: it must not wait.
public protocol Interceptor: Sendable {
  /// Takes one event of a view model's.
  func intercept<Model: ViewModel>(_ event: TraceEvent<Model>)

  /// What looks on at one hosted session, of which it is told the beginning of the id; this interceptor
  /// itself, unless it says.
  ///
  /// The whole id is a secret.
  func following(session: String) -> any Interceptor
}

extension Interceptor {
  /// This interceptor itself.
  public func following(session: String) -> any Interceptor { self }
}
