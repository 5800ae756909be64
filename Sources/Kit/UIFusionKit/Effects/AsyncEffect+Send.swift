/// Messages: Inputs for other sessions, whatever happens to either process until they arrive.
extension AsyncEffect where Action: Codable {
  /// Returns an effect that sends an Input to another hosted session.
  ///
  /// The message is stored with the turn that asks for it, and is handed over once that is committed: at least once, and
  /// applied once; to one address in order. While the receiver is busy or out of reach, the message waits, and keeps
  /// its session from expiring; a child that is gone has sent it nevertheless. A receiver that is over, that the
  /// sender's identity may not use, or that refuses the Input drops it. At most 1,000 messages and alarms of 256 KiB
  /// wait at a time: the Input that asks for more is rejected. A ``Secret`` in the Input does not arrive. In process,
  /// where there is no other session, nothing is handed over.
  ///
  /// - Parameters:
  ///   - input: an Input of the receiver's view model.
  ///   - address: the receiver.
  ///   - refusal: the action that the view model gets if the message is dropped, stored and delivered as an alarm is.
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
