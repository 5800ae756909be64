import Synchronization

/// Registers a function to call if a client leaves before it is answered.
package typealias LeavingWatch = @Sendable (_ act: @escaping @Sendable () -> Void) -> Void

/// Returns a handler's response to a request; if the handler drops the request, a 500.
///
/// `whenClientLeaves` watches the client on whose behalf the handler runs. Cancelling the task does not
/// notify the handler.
package func awaitResponse(
  to request: HTTPRequest,
  from handler: HTTPHandler,
  whenClientLeaves: @escaping LeavingWatch = { _ in }
) async -> HTTPResponse {
  await withCheckedContinuation { handler(request, AwaitedResponse($0, whenClientLeaves)) }
}

/// The responder that passes a response to a waiting task.
private final class AwaitedResponse: HTTPResponder {
  private let waiting: Mutex<CheckedContinuation<HTTPResponse, Never>?>
  private let watch: LeavingWatch

  init(_ continuation: CheckedContinuation<HTTPResponse, Never>, _ watch: @escaping LeavingWatch) {
    waiting = Mutex(continuation)
    self.watch = watch
  }

  func callAsFunction(_ response: consuming HTTPResponse) {
    let response = response
    waiting.withLock { $0.take() }?.resume(returning: response)
  }

  func whenClientLeaves(_ act: @escaping @Sendable () -> Void) { watch(act) }

  deinit {
    waiting.withLock { $0.take() }?.resume(returning: Problem.noAnswer.response)
  }
}
