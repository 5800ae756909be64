/// An interceptor that writes a line for each event.
///
/// ```
/// CounterViewModel input increase
/// CounterViewModel action increaseValue
/// CounterViewModel state 2 loadingState: none → increasing
/// ```
///
/// Lines of a hosted session begin with the session: `k3Qz9f… CounterViewModel input increase`. `Secret`
/// and `Redacted` members appear as dots, line ends and other text controls as escapes.
public struct LogInterceptor: Interceptor {
  private let write: @Sendable (String) -> Void
  private var session = ""

  /// Creates an interceptor.
  ///
  /// - Parameter write: takes each line; called on the engine that reports the event.
  public init(_ write: @escaping @Sendable (_ line: String) -> Void) {
    self.write = write
  }

  /// Writes the line of an event.
  public func intercept<Model: ViewModel>(_ event: TraceEvent<Model>) {
    write("\(session)\(Model.self) \(text(of: event))".escapingTextControls())
  }

  /// Returns an interceptor whose lines begin with the session.
  public func following(session: String) -> any Interceptor {
    var log = self
    log.session = session + " "
    return log
  }

  private func text<Model: ViewModel>(of event: TraceEvent<Model>) -> String {
    switch event {
    case .input(let input): "input \(input)"
    case .action(let action, let isSent): "\(isSent ? "received" : "action") \(action)"
    case .effect(let effect): "effect \(effect)"
    case .state(let state, let before, let version):
      "state \(version) "
        + StateDifference(from: before, to: state).description
        .split(separator: "\n", omittingEmptySubsequences: false).joined(separator: ", ")
    case .error(let error): "error \(error.typeName): \(error)"
    case .ended(let duration): "ended after \(duration)"
    }
  }
}
