import FusionHTTPMessages
import FusionSessions

/// A request, from its sending until its answer or its process's death.
final class Exchange: HTTPResponder, @unchecked Sendable {
  // Guard: `Scheduler.checkThread()`.
  enum Purpose {
    case create(ModelKind)
    case fork(Fork)
    case submit(InputRequest)
    /// Another body under the key of a processed request.
    case reuseKey(InputRequest)
    case show(SessionRecord)
    case delete(SessionRecord)
    case follow([SessionRecord])
  }

  /// The meaning of an answer for its client.
  enum Verdict {
    case done
    /// Nothing was done, and the request may be repeated.
    case refused
    /// The outcome is in doubt.
    case unknown
    /// The session has ended.
    case over
  }

  let number: Int
  let purpose: Purpose
  /// The version that `If-Match` names.
  let condition: Int?
  /// The newest version of the session that any client had seen when the request was sent.
  let floor: Int
  let start: Duration
  let service: Service
  private let world: World
  private var waiting: ((HTTPResponse?, Verdict) -> Void)?
  private(set) var isAnswered = false
  private var deathWatch = 0

  init(
    _ number: Int,
    _ purpose: Purpose,
    condition: Int?,
    _ world: World,
    _ service: Service,
    _ waiting: @escaping (HTTPResponse?, Verdict) -> Void
  ) {
    self.number = number
    self.purpose = purpose
    self.condition = condition
    self.world = world
    self.service = service
    self.waiting = waiting
    floor = purpose.session?.seen ?? 0
    start = world.scheduler.now
    if case .submit(let request) = purpose {
      request.attempts += 1
      request.openAttempts += 1
      if request.attempts == 1 { request.arrival = number }
      request.hasFoundAsleep = service.host.directory.isAsleep(request.session.id)
    }
    service.open += 1
    deathWatch = service.atDeath { [weak self] in self?.lose() }
  }

  /// Receives the service's answer.
  func callAsFunction(_ response: consuming HTTPResponse) {
    world.scheduler.checkThread()
    guard !service.isDead else { return }
    guard !isAnswered else {
      return world.scheduler.fail(.answered, "request \(number) is answered twice")
    }
    isAnswered = true
    if case .submit(let request) = purpose { request.openAttempts -= 1 }
    if purpose.session != nil, world.scheduler.now - start > world.plan.idleTime {
      world.scheduler.coverage.add(.heldBeyondIdleTime)
    }
    service.open -= 1
    service.stopWatching(deathWatch)
    world.exchanges[number] = nil
    world.scheduler.note(response.status, "#\(number) ← \(response.status) \(response.text)")
    let verdict = world.judge.verdict(on: response, to: self)
    if response.status < 500, let session = purpose.session {
      world.use(session, in: service, since: isKeyed ? start : world.scheduler.now)
    }
    finish(response, verdict)
  }

  /// Whether the answer may still have to be stored for its key after its session was released.
  private var isKeyed: Bool {
    if case .submit(let request) = purpose { request.key != nil } else { false }
  }

  /// Cuts the connection: no answer will arrive.
  private func lose() {
    world.exchanges[number] = nil
    world.scheduler.note(2, "#\(number) ← connection lost")
    if case .submit(let request) = purpose { request.openAttempts -= 1 }
    giveUp()
  }

  /// Ends the client's wait; the request goes on.
  func giveUp() {
    if case .submit(let request) = purpose { request.isInDoubt = true }
    finish(nil, .unknown)
  }

  private func finish(_ response: HTTPResponse?, _ verdict: Verdict) {
    guard let waiting else { return }
    self.waiting = nil
    waiting(response, verdict)
  }
}

extension Exchange.Purpose {
  var session: SessionRecord? {
    switch self {
    // A fork does not use its origin.
    case .create, .fork, .follow: nil
    case .submit(let request), .reuseKey(let request): request.session
    case .show(let session), .delete(let session): session
    }
  }

  var sessions: [SessionRecord] {
    if case .follow(let sessions) = self { sessions } else { session.map { [$0] } ?? [] }
  }
}

extension HTTPResponse {
  var bytes: [UInt8] {
    if case .bytes(let bytes) = body { bytes } else { [] }
  }

  var text: String { String(decoding: bytes, as: UTF8.self) }

  var stream: (any BodyStream)? {
    if case .stream(let stream) = body { stream } else { nil }
  }

  /// The last component of a problem's type.
  var problem: String {
    let type = text.split(separator: "\"", maxSplits: 4).dropFirst(3).first ?? ""
    return String(type.split(separator: "/").last ?? "")
  }
}
