/// Messages: Inputs for other sessions, delivered even if either process restarts in the meantime.
extension AsyncEffect where Action: Codable {
  /// Returns an effect that sends an Input to another hosted session.
  ///
  /// The message is stored with the turn that sends it, and handed over after the commit: it is delivered at
  /// least once, applied once, and in order for each address. While the receiver is busy or unreachable, the
  /// message waits, and keeps its session from expiring. It is sent even if the child that sent it has left
  /// State. The message is dropped if the receiver has ended, belongs to another identity, or refuses the
  /// Input. A ``Secret`` in the Input does not arrive. In process, without other sessions, nothing is handed
  /// over.
  ///
  /// A session holds at most 1,000 messages and alarms, 256 KiB in total: an Input that exceeds a limit is
  /// rejected.
  ///
  /// - Parameters:
  ///   - input: an Input of the receiver's view model.
  ///   - address: the receiver.
  ///   - refusal: the action that the view model gets if the message is dropped; stored and delivered like an
  ///     alarm's.
  /// - Returns: the effect.
  public static func send(
    _ input: some Encodable & Sendable,
    to address: SessionAddress,
    ifRefused refusal: Action? = nil
  ) -> AsyncEffect {
    AsyncEffect(step: .message(input, to: address, ifRefused: refusal))
  }
}

extension EffectStep {
  /// Returns a step that sends a message.
  static func message<Action: Sendable>(
    _ input: some Sendable,
    to address: SessionAddress,
    ifRefused refusal: Action?
  ) -> EffectStep {
    let refusal = refusal.map { AlarmAction.value($0) }
    return .alarm(.send(MessageRequest(address: address, input: .value(input), refusal: refusal)))
  }
}
