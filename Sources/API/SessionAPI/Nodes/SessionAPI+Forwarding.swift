import FusionHTTPMessages
import FusionSessions
import UIFusionKit

extension SessionAPI {
  /// The request, where it has set off before with what is left of its client's wait.
  func leftOver(of request: HTTPRequest, on journey: ForwardingRetry?) -> HTTPRequest {
    journey?.leftOver(of: request, now: host.dependencies.time.now) ?? request
  }

  /// Has the node that has a session answer a request for it.
  ///
  /// `again` looks for the session once more, which may be here by then.
  func forward(
    _ request: HTTPRequest,
    for id: SessionID,
    to node: Node,
    _ journey: ForwardingRetry,
    _ respond: PendingAnswer,
    again: @escaping @Sendable (ForwardingRetry, PendingAnswer) -> Void
  ) {
    // Who has passed it on was mistaken, and looks again; nothing is passed on twice.
    guard !request.isFromNode else { return respond(Problem.otherNode.response) }
    guard let forwarding, !node.address.isEmpty else {
      // It may be another's by the next time.
      host.forgetLocation(of: id)
      let problem = node.address.isEmpty ? Problem.nodeWithoutAddress : .unreachableNode
      return respond(problem.response)
    }
    let inputs: Int
    do throws(Problem) {
      inputs = try admitForwarded(request)
    } catch {
      return respond(error.response)
    }
    let request = leftOver(of: request, on: journey)
    let retry = { @Sendable (error: ForwardingError, respond: PendingAnswer) in
      host.forgetLocation(of: id)
      let mayRepeat = request.isRepeatable || !error.isInDoubt
      guard mayRepeat, readiness.phase != .draining,
        let pause = journey.pause(after: error, of: id, now: host.dependencies.time.now)
      else {
        let isInDoubt = !request.isSafe && (error.isInDoubt || journey.isInDoubt)
        return respond((isInDoubt ? Problem.storeInDoubt : .unreachableNode).response)
      }
      _ = host.timeouts.start(after: pause) {
        again(journey, journey.isInDoubt && !request.isSafe ? respond.inDoubt : respond)
      }
    }
    let wait = Preferences(request.headers).wait
    let deadline =
      .seconds(wait ?? 0) + (request.isSafe ? patienceForViews : patienceForInputs)
    let held = HeldRequest(respond)
    if wait != nil, request.isSafe {
      // Nobody is kept waiting by a node that stops: it asks for what is there now.
      let timeout = host.timeouts.start(after: deadline) {
        guard readiness.phase == .draining, let respond = held.take() else { return }
        var request = request
        request.headers["Prefer"] = nil
        forward(request, for: id, to: node, journey, respond, again: again)
      }
      if held.isAnswered { return }
      held.atEnd { host.timeouts.stop(timeout) }
    }
    forwarding.forward(request, to: node, within: deadline, isHeld: wait != nil) { result in
      forwardingMetrics.count(result)
      giveBack(inputs, of: request, unlessSubmittedBy: try? result.get())
      guard let respond = held.take() else { return }
      switch result {
      case .success(let response): respond(response)
      // To wait for it once more would have it wait for more.
      case .failure(.full): respond(Problem.unreachableNode.response)
      case .failure(let error): retry(error, respond)
      }
    }
  }
}

/// A node that has read the request answers within this time, but for what it was asked to wait: it gives
/// up its store after ten seconds.
private let patienceForInputs = Duration.seconds(11)
/// Nothing is lost by asking again.
private let patienceForViews = Duration.seconds(5)

extension HTTPRequest {
  /// Whether it changes nothing (RFC 9110 §9.2.1).
  fileprivate var isSafe: Bool { method == .get || method == .head }

  /// Whether to do it twice is to do it once.
  fileprivate var isRepeatable: Bool { isSafe || headers["Idempotency-Key"] != nil }
}

extension ForwardingError {
  fileprivate var isInDoubt: Bool {
    if case .noAnswer = self { true } else { false }
  }
}
