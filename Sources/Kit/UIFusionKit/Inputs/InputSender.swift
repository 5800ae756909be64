/// The sender of the Input for which code runs.
///
/// Set while an Input is processed, not in the effects that it starts: an effect takes the identity with it.
public enum InputSender: Sendable {
  /// The id of the identity that sent the Input; nil where nobody has said who it is, and in process.
  @TaskLocal public static var identity: String?

  /// The id of the session that sent the Input; nil where none did.
  ///
  /// Whoever has the id has the session, as far as the session's identity goes.
  @TaskLocal public static var session: String?
}

extension InputOrigin {
  /// Runs a function for the request of an origin, or for none, whichever the caller runs for.
  static func within<Result>(_ origin: InputOrigin?, _ body: () -> Result) -> Result {
    TraceContext.within(origin?.trace) {
      let (identity, session) = (origin?.sender, origin?.session)
      if identity == nil, InputSender.identity == nil, session == nil, InputSender.session == nil {
        return body()
      }
      return InputSender.$identity.withValue(identity) {
        InputSender.$session.withValue(session, operation: body)
      }
    }
  }
}
