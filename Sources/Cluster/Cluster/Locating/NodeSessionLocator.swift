import FusionHTTPMessages
import FusionHTTPToolkit
import FusionSessionAPI
import FusionSessions
import FusionStrictJSON
import UIFusionKit

/// The locator of one of several nodes that share the store: a session is here, or on another node.
///
/// The store chooses the node: whichever acquires a session first, by ``SharedSessionStore/acquire(_:_:)``.
struct NodeSessionLocator: SessionLocator {
  let host: SessionHost
  let transport: any NodeTransport
  let readiness: Readiness
  let feeds: SessionFeedProxies
  let metrics: ClusterMetrics
  let report: @Sendable (ClusterEvent) -> Void

  func locate(
    _ ids: [SessionID],
    for request: SessionRequest,
    _ done: @escaping @Sendable (SessionRequest, WakeFailure?) -> Void
  ) {
    look(for: ids, request, ask: { found in host.waker.wake(ids) { found($0, $0) } }, done)
  }

  func delete(
    _ id: SessionID,
    if check: @escaping PermissionCheck,
    for request: SessionRequest,
    _ done: @escaping @Sendable (SessionRequest, SessionDeletion) -> Void
  ) {
    let ask = { @Sendable (found: @escaping @Sendable (SessionDeletion, WakeFailure?) -> Void) in
      host.ender.delete(id, by: request.http.sender?.identity, if: check) { result in
        if case .failure(let failure) = result { return found(result, failure) }
        found(result, nil)
      }
    }
    look(for: [id], request, ask: ask, done)
  }

  func follow(
    _ sessions: [(id: SessionID, seen: Int)],
    _ done: @escaping @Sendable ([FollowedSession]) -> Void
  ) {
    feeds.open(sessions, done)
  }

  func ask(
    _ node: Node,
    forStreamOf request: HTTPRequest,
    _ done: @escaping @Sendable (Problem?) -> Void
  ) {
    var question = request
    question.method = .head
    transport.forward(question, to: node, within: timeoutForViews, over: .prompt) { result in
      switch (try? result.get())?.status {
      case 403: done(.notPermitted)
      case 404: done(.unknownSession)
      case 410: done(.endedSession)
      default: done(nil)
      }
    }
  }

  func stream(
    _ request: HTTPRequest,
    from node: Node,
    _ take: @escaping @Sendable ([UInt8]?) -> Void
  ) -> @Sendable () -> Void {
    let upstream = transport.open(request, on: node, over: .held) { event in
      switch event {
      case .bytes(let bytes): take(bytes)
      case .end: take(nil)
      }
    }
    return { upstream.cancel() }
  }

  /// Asks the host for sessions; if another node has them, that node answers the request.
  private func look<Found: Sendable>(
    for ids: [SessionID],
    _ request: SessionRequest,
    _ retry: ForwardingRetry? = nil,
    ask: @escaping @Sendable (@escaping @Sendable (Found, WakeFailure?) -> Void) -> Void,
    _ done: @escaping @Sendable (SessionRequest, Found) -> Void
  ) {
    // A node that passes a request on knows from the store that the sessions are here: a remembered location is
    // outdated.
    if request.http.isFromNode { for id in ids { host.directory.forgetLocation(of: id) } }
    ask { found, failure in
      if case .elsewhere(let node, _)? = failure {
        let retry =
          retry
          ?? ForwardingRetry(for: ids[0]) { request, retry in
            look(for: ids, request, retry, ask: ask, done)
          }
        return forward(request, to: node, retry)
      }
      if let failure, isMisdirected(request, failure) {
        return request.respond(Problem.otherNode.response)
      }
      done(request, found)
    }
  }

  /// Returns whether another node asks this one by mistake, and should ask the store who has the session.
  ///
  /// Without a lease this node may not answer for its sessions, and it gives back a session that it cannot read.
  private func isMisdirected(_ request: SessionRequest, _ failure: WakeFailure) -> Bool {
    guard request.http.isFromNode else { return false }
    return switch failure {
    case .unreadableHere, .store(.damaged): true
    default: !host.ownership.isHeld
    }
  }

  /// Forwards a request to the node that owns its session.
  private func forward(_ request: SessionRequest, to node: Node, _ retry: ForwardingRetry) {
    // Nothing is forwarded twice: the first node looks again.
    guard !request.http.isFromNode else { return request.respond(Problem.otherNode.response) }
    guard !node.address.isEmpty else {
      // Another node may have the session by the next request.
      host.directory.forgetLocation(of: retry.id)
      return request.respond(Problem.nodeWithoutAddress.response)
    }
    request.respond.answer { () throws(Problem) in
      let inputs = try takeInputs(request)
      send(request, inputs, to: node, retry)
    }
  }

  private func send(
    _ request: SessionRequest,
    _ inputs: Int,
    to node: Node,
    _ retry: ForwardingRetry
  ) {
    let http = retry.leftOver(of: request.http, now: host.dependencies.time.now)
    let wait = Preferences(http.headers).wait
    let deadline = .seconds(wait ?? 0) + (http.isSafe ? timeoutForViews : timeoutForInputs)
    let held = HeldRequest(request.respond)
    if wait != nil, http.isSafe {
      // A node that stops holds no request back: it asks for the current State.
      let timeout = host.timeouts.start(after: deadline) {
        guard readiness.phase == .draining, let respond = held.take() else { return }
        var request = request
        request.http.headers["Prefer"] = nil
        request.respond = respond
        forward(request, to: node, retry)
      }
      if held.isAnswered { return }
      held.atEnd { host.timeouts.stop(timeout) }
    }
    let lane: NodeLane = wait == nil ? .prompt : .held
    transport.forward(http, to: node, within: deadline, over: lane) { result in
      metrics.count(result)
      if case .failure(let error) = result, error != .notOwner { report(.unanswered(node, error)) }
      giveBack(inputs, of: request, unlessSubmittedBy: try? result.get())
      guard let respond = held.take() else { return }
      switch result {
      case .success(let response): respond(response)
      // Another attempt would only make the queue longer.
      case .failure(.full): respond(Problem.unreachableNode.response)
      case .failure(let error):
        var request = request
        request.respond = respond
        tryAgain(request, after: error, retry)
      }
    }
  }

  private func tryAgain(
    _ request: SessionRequest,
    after error: ForwardingError,
    _ retry: ForwardingRetry
  ) {
    let now = host.dependencies.time.now
    var request = request
    host.directory.forgetLocation(of: retry.id)
    let mayRepeat = request.http.isRepeatable || !error.isInDoubt
    guard mayRepeat, readiness.phase != .draining,
      let pause = retry.pause(after: error, now: now)
    else {
      // The response of `request.respond` already allows for an earlier doubt.
      let isInDoubt = !request.http.isSafe && error.isInDoubt
      return request.respond((isInDoubt ? Problem.storeInDoubt : .unreachableNode).response)
    }
    if retry.isInDoubt, !request.http.isSafe { request.respond = request.respond.inDoubt }
    _ = host.timeouts.start(after: pause) { [request] in
      var request = request
      request.http = retry.leftOver(of: request.http, now: host.dependencies.time.now)
      retry.again(request, retry)
    }
  }

  /// Counts the Inputs of a request to be forwarded against its client's rate; returns their number.
  private func takeInputs(_ request: SessionRequest) throws(Problem) -> Int {
    guard let admit = request.admitInputs, request.http.method == .post,
      // The other node refuses a body that is not JSON.
      let root = (try? JSONDocument(request.http.body))?.root
    else { return 0 }
    let count = root.kind == .array ? root.count : 1
    try admit(count)
    return count
  }

  /// Refunds Inputs to the client's rate limit if they were not submitted.
  private func giveBack(
    _ count: Int,
    of request: SessionRequest,
    unlessSubmittedBy response: HTTPResponse?
  ) {
    guard count > 0, let admit = request.admitInputs else { return }
    let isReplay = response?.headers["Idempotency-Replayed"] != nil
    // A refund is never refused.
    if response.map({ $0.status >= 400 || isReplay }) != false { try? admit(-count) }
  }
}

/// The time that an Input may take on another node, in addition to the wait that its request asks for.
///
/// A node gives up its store after ten seconds; a silent node is noticed sooner (``WatchedTransport``).
private let timeoutForInputs = Duration.seconds(11)
/// The time that a view may take; asking again does no harm.
private let timeoutForViews = Duration.seconds(5)

extension PendingResponse {
  /// The same response for a request that a silent node may have carried out: then a refusal must not say that nothing
  /// was applied.
  fileprivate var inDoubt: PendingResponse {
    mapping { response in
      [412, 429, 503, 507].contains(response.status) ? Problem.storeInDoubt.response : response
    }
  }
}

extension HTTPRequest {
  /// Whether the request changes nothing (RFC 9110 §9.2.1).
  fileprivate var isSafe: Bool { method == .get || method == .head }

  /// Whether the request may be sent twice without being applied twice.
  fileprivate var isRepeatable: Bool { isSafe || headers["Idempotency-Key"] != nil }
}

extension ForwardingError {
  fileprivate var isInDoubt: Bool {
    if case .noAnswer = self { true } else { false }
  }
}
