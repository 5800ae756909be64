import Synchronization

/// Returns a handler's response to a request; a request that it drops is answered with 500.
///
/// To the handler, the task's cancellation is the client's leaving.
package func awaitResponse(to request: HTTPRequest, from handler: HTTPHandler) async -> HTTPResponse
{
  let cancellation = Cancellation()
  return await withTaskCancellationHandler {
    await withCheckedContinuation { handler(request, AwaitedResponse($0, cancellation)) }
  } onCancel: {
    cancellation.happen()
  }
}

/// The way of a response to a task that waits for it.
private final class AwaitedResponse: HTTPResponder {
  private let waiting: Mutex<CheckedContinuation<HTTPResponse, Never>?>
  private let cancellation: Cancellation

  init(_ continuation: CheckedContinuation<HTTPResponse, Never>, _ cancellation: Cancellation) {
    waiting = Mutex(continuation)
    self.cancellation = cancellation
  }

  func callAsFunction(_ response: consuming HTTPResponse) {
    let response = response
    waiting.withLock { $0.take() }?.resume(returning: response)
  }

  func whenClientLeaves(_ act: @escaping @Sendable () -> Void) {
    cancellation.onHappening(act)
  }

  deinit {
    waiting.withLock { $0.take() }?.resume(returning: Problem.noAnswer.response)
  }
}

/// The cancellation of a task that waits, and what is to be done then.
private final class Cancellation: Sendable {
  private struct State {
    var act: (@Sendable () -> Void)?
    var hasHappened = false
  }

  private let state = Mutex(State())

  func onHappening(_ act: @escaping @Sendable () -> Void) {
    let hasHappened = state.withLock { state in
      if !state.hasHappened { state.act = act }
      return state.hasHappened
    }
    if hasHappened { act() }
  }

  func happen() {
    let act = state.withLock { state in
      state.hasHappened = true
      return state.act.take()
    }
    act?()
  }
}
