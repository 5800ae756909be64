import Synchronization

/// Returns a handler's response to a request; a request that it drops is answered with 500.
package func awaitResponse(to request: HTTPRequest, from handler: HTTPHandler) async -> HTTPResponse
{
  await withCheckedContinuation { handler(request, AwaitedResponse($0)) }
}

/// The way of a response to a task that waits for it.
private final class AwaitedResponse: HTTPResponder {
  private let waiting: Mutex<CheckedContinuation<HTTPResponse, Never>?>

  init(_ continuation: CheckedContinuation<HTTPResponse, Never>) {
    waiting = Mutex(continuation)
  }

  func callAsFunction(_ response: consuming HTTPResponse) {
    let response = response
    waiting.withLock { $0.take() }?.resume(returning: response)
  }

  deinit {
    waiting.withLock { $0.take() }?.resume(returning: Problem.noAnswer.response)
  }
}
