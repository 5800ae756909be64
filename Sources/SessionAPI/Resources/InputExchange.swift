import HTTPMessages
import Sessions
import Synchronization

/// One request to take Inputs that asks for more than to be told when they are taken up.
final class InputExchange: Sendable {
  private let api: SessionAPI
  private let session: Session
  private let options: InputOptions
  private let held: HeldRequest
  private let digest: [UInt8]
  private let course = Mutex(Course())

  /// How far it has come.
  private struct Course {
    /// The Inputs were taken up, though nobody may see what came of it before it is stored.
    var isTaken = false
    var isStored = false
    var isTimeUp = false
    /// What the key stands for, as the session knows it.
    var receipt: Receipt?

    /// Whether an answer has to wait for the store, now that the time is up.
    mutating func waitsForStore() -> Bool {
      isTimeUp = true
      return isTaken && !isStored
    }
  }

  init(
    _ api: SessionAPI,
    _ session: Session,
    _ options: InputOptions,
    _ request: HTTPRequest,
    respond: @escaping HeldRequest.Respond
  ) {
    self.api = api
    self.session = session
    self.options = options
    held = HeldRequest(respond)
    digest = options.key == nil ? [] : session.digest(of: request.body)
  }

  private var preferences: Preferences { options.preferences }

  /// Whether the answer is wanted at once; who names a time, too, wants it then (RFC 7240 §4.3).
  private var isAsync: Bool { preferences.respondsAsync && preferences.wait == nil }

  /// Does not keep the request: its Inputs may be at work for hours.
  func begin(_ request: HTTPRequest) {
    guard isFirst(request) else { return }
    var condition: (@Sendable (Int) -> Bool)?
    if let tags = options.condition { condition = { tags.containStrongly(entityTag(of: $0)) } }
    let keyed = options.key.map {
      session.keyed($0, digest, by: self) { [self] in receipt($0, $1) }
    }
    do {
      try session.take(request.body, api.specs, if: condition, keyed: keyed) { [self] in
        proceed($0)
      }
    } catch {
      fail(error)
    }
    holdWhileWanted { [self] current in timeUp(current) }
  }

  /// Whether its Inputs are to be handed over: it is no repetition of a request with the same key.
  private func isFirst(_ request: HTTPRequest) -> Bool {
    guard let key = options.key else { return true }
    let claim = session.claim(key, for: digest, by: self) { [self] receipt in
      if let receipt {
        repeatAnswer(receipt)
      } else if let respond = held.take() {
        // The first came to nothing: now this one is the first.
        api.handle(request, respond: respond)
      }
    }
    switch claim {
    case .first: return true
    case .answered(let receipt): repeatAnswer(receipt)
    case .mismatch: held.answer(Problem.reusedKey.response)
    case .waiting:
      holdWhileWanted { [self] current in
        held.answer(Receipt(.queued, current, preferences).response())
      }
    }
    return false
  }

  private func repeatAnswer(_ receipt: Receipt) {
    held.answer(receipt.response(isReplayed: true))
  }

  private func holdWhileWanted(timeUp: @escaping @Sendable (_ current: Snapshot) -> Void) {
    guard let seconds = preferences.wait ?? (isAsync ? 0 : nil) else { return }
    held.hold(for: seconds, in: session, api.host.timeouts) { [session] in
      if let current = session.feed.current.snapshot { timeUp(current) }
    }
  }

  /// The answer that is stored with what the Inputs did: the one that was given already, or what it
  /// would be if nothing more came.
  private func receipt(_ snapshot: Snapshot, _ isSettled: Bool) -> Receipt {
    course.withLock { course in
      course.isTaken = true
      let reached: Receipt.Kind = isAsync ? .queued : isSettled ? .settled : .unsettled
      let receipt = course.receipt ?? Receipt(reached, snapshot, preferences)
      course.receipt = receipt
      return receipt
    }
  }

  private func timeUp(_ current: Snapshot) {
    guard !course.withLock({ $0.waitsForStore() }) else { return }
    let isReached = course.withLock { $0.isStored } && !isAsync
    finish(isReached ? .unsettled : .queued, current)
  }

  /// Called once what it tells may be seen.
  private func proceed(_ progress: Session.Progress) {
    switch progress {
    case .taken(let snapshot, let isSettled):
      let isTimeUp = course.withLock { course in
        course.isStored = true
        return course.isTimeUp
      }
      // The store was not done when there would have been an answer at once.
      if isAsync { return isTimeUp ? finish(.queued, snapshot) : () }
      if preferences.wait != nil && !isSettled && !isTimeUp { return }
      finish(isSettled ? .settled : .unsettled, snapshot)
    case .settled(let snapshot):
      if !isAsync { finish(.settled, snapshot) }
    case .interrupted:
      if let current = session.feed.current.snapshot { finish(.unsettled, current) }
    case .refused(let snapshot):
      fail(.preconditionFailed(current: snapshot))
    case .failed(let error):
      fail(Problem(error))
    case .abandoned, .ended:
      fail(.endedSession)
    }
  }

  private func finish(_ reached: Receipt.Kind, _ snapshot: Snapshot) {
    guard let respond = held.take() else { return }
    let receipt = Receipt(reached, snapshot, preferences)
    guard let key = options.key else { return respond(receipt.response()) }
    let known = course.withLock { course in
      defer { course.receipt = receipt }
      return course.isTaken ? course.receipt : receipt
    }
    // Before anybody knows the answer, it is the key's.
    guard let known, known != receipt else {
      session.bind(key, to: receipt, by: self)
      return respond(receipt.response())
    }
    session.store(receipt, for: key, digest) { [self] error in
      if error == .inDoubt {
        // Which of the two a repetition will get, the store knows.
        session.free(key, by: self)
        return respond(Problem.storeInDoubt.response)
      }
      let answer = error == nil ? receipt : known
      session.bind(key, to: answer, by: self)
      respond(answer.response())
    }
  }

  private func fail(_ problem: Problem) {
    let respond = held.take()
    // An answer that was given while the Inputs still waited does not bind the key, either.
    let isBound = respond == nil && course.withLock { $0.isStored }
    if let key = options.key, !isBound { session.free(key, by: self) }
    respond?(problem.response)
  }
}

extension Preferences {
  /// What `Preference-Applied` names (RFC 7240 §3), empty where that is nothing.
  fileprivate func applied(to kind: Receipt.Kind) -> String {
    var names: [String] = []
    if kind == .queued, respondsAsync { names.append("respond-async") }
    if kind != .queued, let content { names.append("return=\(content.rawValue)") }
    if let wait { names.append("wait=\(wait)") }
    return names.joined(separator: ", ")
  }
}

extension Receipt {
  fileprivate init(_ reached: Kind, _ snapshot: Snapshot, _ preferences: Preferences) {
    let isBrief = preferences.content == .minimal && reached != .queued
    let kind = isBrief ? .brief : reached
    self.init(kind, snapshot, preferences: preferences.applied(to: kind))
  }

  fileprivate func response(isReplayed: Bool = false) -> HTTPResponse {
    let snapshot = Snapshot(version: version, state: state)
    var response =
      switch kind {
      case .unsettled: HTTPResponse(200, json: snapshot.answer(isSettled: false))
      case .settled: HTTPResponse(200, json: snapshot.answer(isSettled: true))
      case .brief: HTTPResponse(204, headers: ["ETag": snapshot.tag])
      case .queued: HTTPResponse(202, json: snapshot.text)
      }
    if !preferences.isEmpty { response.headers.append("Preference-Applied", preferences) }
    if isReplayed { response.headers.append("Idempotency-Replayed", "true") }
    return response
  }
}
