/// Writes a line for everything that a view model does.
///
/// ```
/// CounterViewModel input increase
/// CounterViewModel action increaseValue
/// CounterViewModel state 2 loadingState: none → increasing
/// ```
///
/// Of a hosted session, each line begins with the session: `k3Qz9f… CounterViewModel input increase`.
/// What is `Secret` or `Redacted` shows as dots.
public struct LogInterceptor: Interceptor {
  private let write: @Sendable (String) -> Void
  private var session = ""

  /// - Parameter write: takes each line, on the engine that it comes from.
  public init(_ write: @escaping @Sendable (_ line: String) -> Void) {
    self.write = write
  }

  /// Writes the event's line.
  public func intercept<Model: ViewModel>(_ event: TraceEvent<Model>) {
    write("\(session)\(Model.self) \(text(of: event))")
  }

  /// Writes lines that begin with the session.
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
        + StateDifference(from: before, to: state).description.replacing("\n", with: ", ")
    case .error(let error): "error \(error.typeName): \(error)"
    case .ended(let duration): "ended after \(duration)"
    }
  }
}

extension String {
  fileprivate func replacing(_ character: Character, with text: String) -> String {
    split(separator: character, omittingEmptySubsequences: false).joined(separator: text)
  }
}
