import HTTPMessages

/// A request's answer, while it is not given: what it passes on its way out, and where it goes.
///
/// Called as a function, exactly once, on any thread.
final class PendingAnswer: Sendable {
  private let request: RequestContext
  private let steps: [any AnswerStep]
  private let send: @Sendable (HTTPResponse) -> Void

  init(
    to request: RequestContext,
    through steps: [any AnswerStep],
    _ send: @escaping @Sendable (HTTPResponse) -> Void
  ) {
    self.request = request
    self.steps = steps
    self.send = send
  }

  func callAsFunction(_ response: consuming HTTPResponse) {
    for step in steps { step.finish(&response, to: request) }
    send(response)
  }
}
