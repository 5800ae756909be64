/// The sender of the Input that is being processed.
///
/// Set while an Input is processed, but not in the effects that it starts: pass the identity to an effect.
public enum InputSender: Sendable {
  /// The identity that sent the Input; nil for an anonymous sender, and in process.
  ///
  /// In a session's message, the identity that the session belongs to: its id alone.
  @TaskLocal public static var identity: Identity?

  /// The id of the session that sent the Input; nil if no session did.
  ///
  /// The id gives access to the session, within the limits of the session's identity.
  @TaskLocal public static var session: String?

  /// The reason why a message was refused, while the Action of its `ifRefused:` is performed; nil if none is known.
  ///
  /// A sentence: that of the receiver's rule, or what is wrong with the Input.
  @TaskLocal public static var refusal: String?
}
