public import UIFusionKit

/// Messages to other sessions: the test receives them in place of their receivers.
extension AsyncTestStore {
  /// Receives the next message to an address, and checks its Input.
  ///
  /// ```swift
  /// await store.send(.pay(5)) { $0.balance -= 5 }
  /// await store.expectSent(Account.Input.deposit(5), to: .id("b"))
  /// ```
  ///
  /// A refused message may cause an action, which the test then receives; ``InputSender/refusal`` is `reason` meanwhile.
  /// A message with a reason is refused.
  public func expectSent<Input: Equatable & Sendable>(
    _ input: Input,
    to address: SessionAddress,
    isRefused: Bool = false,
    because reason: String? = nil,
    fileID: String = #fileID,
    filePath: StaticString = #filePath,
    line: Int = #line,
    column: Int = #column
  ) async {
    await clock.idle()
    let place = IssueLocation(fileID, filePath, line, column)
    guard let message = await engine.waitingMessages.first(where: { $0.address == address }) else {
      return issues.record(
        "Expected \(input) to be sent, and no message to \(address) waits.",
        place
      )
    }
    let sent = message.values?.input
    if sent as? Input != input {
      issues.record(
        "Expected \(input) to be sent, and it is \(sent.map { "\($0)" } ?? "nothing").",
        place
      )
    }
    await engine.settle(message, isRefused: isRefused || reason != nil, because: reason)
    await clock.idle()
  }

  /// Returns the text of an issue if messages were sent that the test has not received.
  func unexpectedMessages() async -> String? {
    let messages = await engine.waitingMessages
    guard !messages.isEmpty else { return nil }
    let texts = messages.map { "\($0.values.map { "\($0.input)" } ?? "") to \($0.address)" }
    return "Messages that were sent by the end of the test: \(texts.joined(separator: ", ")).\n"
      + "(Use expectSent(_:to:).)"
  }
}
