import FusionHTTPMessages
import FusionHTTPToolkit
import FusionKeyedDigest
import FusionSessions
import Synchronization
import UIFusionKit

/// A `POST` of Inputs whose answer depends on `Prefer` or `Idempotency-Key`.
final class InputExchange: InputObserver {
  private let resources: SessionResources
  private let grant: Grant
  private let options: InputOptions
  private let held: HeldRequest
  private let progress = Mutex(ExchangeProgress())

  /// The progress of the exchange.
  private struct ExchangeProgress {
    /// The Inputs of this request, or of the first one with the same key.
    var inputs: SubmittedInputs?
    var isRepetition = false
    /// The request itself, kept while it waits for another's Inputs: it may have to submit its own.
    var request: HTTPRequest?
    /// Whether the Inputs are settled; nil until they are processed.
    var processed: Bool?
    var isTimeUp = false
  }

  init(
    _ resources: SessionResources,
    _ grant: Grant,
    _ options: InputOptions,
    respond: PendingResponse
  ) {
    self.resources = resources
    self.grant = grant
    self.options = options
    held = HeldRequest(respond)
  }

  private var session: Session { grant.session }
  private var preferences: Preferences { options.preferences }

  /// Whether the answer is wanted at once rather than after a wait (RFC 7240 §4.3).
  private var isAsync: Bool { preferences.respondsAsync && preferences.wait == nil }

  /// Submits the Inputs.
  ///
  /// Does not keep the request, since its Inputs may run for hours.
  func begin(_ request: HTTPRequest) {
    var condition: (@Sendable (Int) -> Bool)?
    if let tags = options.condition { condition = { tags.containStrongly(entityTag(of: $0)) } }
    let key = options.key.map { key in
      // A message's key begins with the id of its sender, which the service itself has authenticated.
      request.sender?.session.flatMap { key.hasPrefix($0) ? RequestKey(message: key) : nil }
        ?? RequestKey(
          grant.name(of: key),
          digest: resources.digest(of: request, options.part, for: session),
          part: options.part?.range
        )
    }
    if options.part?.range.isEmpty == true, let current = session.feed.current.snapshot {
      let isSettled = session.feed.current.isSettled
      return respond(.minimal, current, isSettled: isSettled, isReplayed: false, processed: nil)
    }
    do {
      let submission = try session.submit(
        request.body,
        from: resources.origin(of: request, by: grant),
        key: key,
        if: condition,
        permit: grant.permit,
        admit: { [resources] in try resources.admission.admit($0, of: request) },
        answer: isAsync ? .queued : preferences.answer,
        observer: self
      )
      switch submission {
      case .accepted(let inputs): progress.withLock { $0.inputs = inputs }
      case .running(let inputs): join(inputs, request)
      case .complete(let key): return answer(key)
      case .mismatch: fail(.reusedKey)
      }
    } catch {
      fail(resources.problem(error, of: session))
    }
    holdWhileWanted()
  }

  private func holdWhileWanted() {
    guard let seconds = preferences.wait ?? (isAsync ? 0 : nil) else { return }
    held.hold(for: seconds, in: session, resources.host.timeouts) { [self] in timeUp() }
  }

  /// Answers with the current snapshot when the wait is over.
  ///
  /// Waits for Inputs that are processed but not committed: no client may see their result yet.
  private func timeUp() {
    let progress = progress.withLock { progress in
      progress.isTimeUp = true
      return progress
    }
    guard let current = session.feed.current.snapshot else { return }
    if let isSettled = progress.processed {
      finish(progress.inputs, current, isSettled: isSettled)
    } else if progress.isRepetition || progress.inputs?.answerAsQueued() != false {
      respond(.queued, current, isSettled: false, isReplayed: progress.isRepetition, processed: nil)
    }
  }

  /// Handles a step of the Inputs, reported once its result may be seen.
  func didProgress(to step: SubmittedInputs.Progress, of inputs: SubmittedInputs) {
    switch step {
    case .processed(let snapshot, let isSettled):
      let isTimeUp = progress.withLock { progress in
        progress.processed = isSettled
        return progress.isTimeUp
      }
      // With `respond-async`, `timeUp` has already answered, unless the commit was late.
      if isAsync, !isTimeUp { return }
      if preferences.wait != nil, !isSettled, !isTimeUp { return }
      finish(inputs, snapshot, isSettled: isSettled)
    case .settled(let snapshot):
      if !isAsync { finish(inputs, snapshot, isSettled: true) }
    case .interrupted:
      if let current = session.feed.current.snapshot { finish(inputs, current, isSettled: false) }
    case .refused(let current):
      let isAltered = options.condition?.containAlteredVersion == true
      let problem: Problem = isAltered ? .alteredPrecondition : .preconditionFailed
      fail(problem.adding("current", json: current.text), of: inputs)
    case .rejected(let rejection, let index): fail(Problem(rejection, at: index), of: inputs)
    case .failed(let error): fail(Problem(error), of: inputs)
    case .ended, .abandoned: fail(.endedSession, of: inputs)
    case .withdrawn: submitAgain()
    }
  }

  private func finish(_ inputs: SubmittedInputs?, _ snapshot: Snapshot, isSettled: Bool) {
    guard let inputs else { return }
    let isRepetition = progress.withLock { $0.isRepetition } || inputs.isContinued
    let processed = inputs.end ?? options.part?.range.upperBound
    respond(
      inputs.answer,
      snapshot,
      isSettled: isSettled,
      isReplayed: isRepetition,
      processed: processed
    )
  }

  /// Answers with a problem; `inputs` are those that were submitted.
  private func fail(_ problem: Problem, of inputs: SubmittedInputs? = nil) {
    guard let part = options.part else { return held.answer(problem.response) }
    // Without a key, the Inputs do not know that they are a part.
    let start = options.key == nil ? part.range.lowerBound : 0
    let processed = inputs.map { start + $0.committedCount } ?? part.range.lowerBound
    held.answer(problem.with(InputPart.header, "\(processed)").response)
  }

  // MARK: Repetitions

  /// Waits for the Inputs of the first request with this key, according to this request's preferences.
  private func join(_ inputs: SubmittedInputs, _ request: HTTPRequest) {
    progress.withLock { progress in
      progress.inputs = inputs
      progress.isRepetition = true
      progress.request = request
    }
    inputs.observe(self)
  }

  /// Submits this request's own Inputs, after the first request with the key was refused.
  private func submitAgain() {
    guard let request = progress.withLock({ $0.request }) else { return }
    guard let respond = held.take() else { return }
    resources.access.reopen(grant.claim, for: request, respond) {
      [resources] grant, request, respond throws(Problem) in
      try resources.submitInputs(request, by: grant, respond: respond)
    }
  }

  /// Answers a repetition in the form of the first answer, with the current snapshot.
  ///
  /// What its Inputs began may have been interrupted by the end of a process, but messages go on: a reply may be on its
  /// way to the session that has sent a message's Input.
  private func answer(_ key: KeyProgress) {
    if session.feed.current.isSettled { return answer(key, isSettled: true) }
    let host = resources.host
    if let seconds = preferences.wait {
      held.hold(for: seconds, in: session, host.timeouts) { [self] in
        answer(key, isSettled: false)
      }
    }
    Task.detached(executorPreference: host.dependencies.executor) { [self] in
      while await isUnsettled(key) {
        guard preferences.wait != nil, !held.isAnswered,
          (try? await host.dependencies.time.sleep(for: .milliseconds(100))) != nil
        else { return answer(key, isSettled: false) }
      }
      answer(key, isSettled: true)
    }
  }

  /// Whether messages that were stored before the session was last read are on their way, or, for the key of a message,
  /// one to its sender.
  private func isUnsettled(_ key: KeyProgress) async -> Bool {
    guard let asking = grant.claim.sender?.session, key.messageNumber != nil else {
      return await session.isSettlingRestored
    }
    return await session.isHandingOver(to: asking) != false
  }

  private func answer(_ key: KeyProgress, isSettled: Bool) {
    guard let current = session.feed.current.snapshot else { return }
    respond(key.answer, current, isSettled: isSettled, isReplayed: true, processed: key.processed)
  }

  private func respond(
    _ kind: KeyProgress.Answer,
    _ snapshot: Snapshot,
    isSettled: Bool,
    isReplayed: Bool,
    processed: Int?
  ) {
    guard let respond = held.take() else { return }
    let make = { @Sendable [self] in
      var response = response(kind, snapshot, isSettled: isSettled, isReplayed: isReplayed)
      if options.part != nil { response.headers[InputPart.header] = processed.map { "\($0)" } }
      return response
    }
    guard kind != .minimal, snapshot.takesLong(isCompressed: options.prefersGzip) else {
      return respond(make())
    }
    Task.detached(executorPreference: resources.host.dependencies.executor) {
      let response = make()
      guard case .deferred(let answer) = response.body else { return respond(response) }
      respond(answer.complete(response))
    }
  }

  private func response(
    _ kind: KeyProgress.Answer,
    _ snapshot: Snapshot,
    isSettled: Bool,
    isReplayed: Bool
  ) -> HTTPResponse {
    var response =
      (options.prefersGzip
        ? kind.compressed(snapshot, isSettled: isSettled, resources.host.memory) : nil)
      ?? kind.response(snapshot, isSettled: isSettled)
    if let applied = preferences.applied(to: kind) {
      response.headers.append("Preference-Applied", applied)
    }
    if isReplayed { response.headers.append("Idempotency-Replayed", "true") }
    return response
  }
}

extension Grant {
  /// Returns the name of a client's key in the session, distinct for each share; clients' keys contain no
  /// spaces.
  fileprivate func name(of key: String) -> String {
    share.map { "\($0.id.redacted) \(key)" } ?? key
  }
}

extension SessionResources {
  /// Returns the digest of a request's body and sender, used here and in the store; for a part of a stream, that of the
  /// stream's first Input.
  ///
  /// It includes the session's id, so that equal bodies in two sessions do not have equal digests. No JSON
  /// begins with a zero.
  fileprivate func digest(
    of request: HTTPRequest,
    _ part: InputPart?,
    for session: Session
  ) -> [UInt8] {
    let sender: [UInt8] = request.sender?.identity.map { [0] + Array($0.utf8) + [0] } ?? []
    let id = Array(session.id.description.utf8)
    let body = part.map { [0] + Array($0.first.utf8) } ?? request.body
    return bodyDigest.digest(of: KeyedDigest.hash(id + sender + body))
  }
}

extension KeyProgress.Answer {
  fileprivate func response(_ snapshot: Snapshot, isSettled: Bool) -> HTTPResponse {
    switch self {
    case .full: HTTPResponse(200, json: snapshot.answer(isSettled: isSettled))
    case .minimal:
      HTTPResponse(204, headers: ["ETag": snapshot.tag, "Settled": isSettled ? "true" : "false"])
    case .queued: HTTPResponse(202, json: snapshot.text)
    }
  }
}

extension Preferences {
  fileprivate var answer: KeyProgress.Answer { content == .minimal ? .minimal : .full }

  /// Returns the value of `Preference-Applied` (RFC 7240 §3); nil if no preference was applied.
  fileprivate func applied(to kind: KeyProgress.Answer) -> String? {
    var names: [String] = []
    switch kind {
    case .queued: if respondsAsync { names.append("respond-async") }
    case .minimal: names.append("return=minimal")
    case .full: if content == .representation { names.append("return=representation") }
    }
    if let wait { names.append("wait=\(wait)") }
    return names.isEmpty ? nil : names.joined(separator: ", ")
  }
}
