import HTTPMessages
import Sessions

/// A request, from when it is sent until it is answered or its process dies.
final class Exchange: @unchecked Sendable {
  // Guard: `Scheduler.checkThread()`.
  enum Purpose {
    case create(viewModel: String)
    case take(Order)
    case show(SessionRecord)
    case delete(SessionRecord)
    case follow([SessionRecord])
  }

  /// What an answer means to who asked.
  enum Verdict {
    case done
    /// Nothing was done; it may be asked again.
    case refused
    /// Nobody knows.
    case unknown
    /// The session is over.
    case over
  }

  let number: Int
  let purpose: Purpose
  /// The newest version of its session that had been seen when it was sent.
  let floor: Int
  private let world: World
  private let service: Service
  private var waiting: ((HTTPResponse?, Verdict) -> Void)?
  private(set) var isAnswered = false
  private var mourner = 0

  init(
    _ number: Int,
    _ purpose: Purpose,
    _ world: World,
    _ service: Service,
    _ waiting: @escaping (HTTPResponse?, Verdict) -> Void
  ) {
    self.number = number
    self.purpose = purpose
    self.world = world
    self.service = service
    self.waiting = waiting
    floor = purpose.session?.seen ?? 0
    service.open += 1
    mourner = service.mourn { [weak self] in self?.lose() }
  }

  /// The service answers.
  func answer(_ response: HTTPResponse) {
    world.scheduler.checkThread()
    guard !service.isDead else { return }
    guard !isAnswered else { return world.scheduler.fail("6: request \(number) is answered twice") }
    isAnswered = true
    service.open -= 1
    service.stopMourning(mourner)
    world.exchanges[number] = nil
    world.scheduler.note(response.status, "#\(number) ← \(response.status) \(response.text)")
    finish(response, world.judge.verdict(on: response, to: self))
  }

  /// The connection is cut: there will be no answer.
  private func lose() {
    world.exchanges[number] = nil
    world.scheduler.note(2, "#\(number) ← connection lost")
    giveUp()
  }

  /// Whoever asked does not wait any longer; the request goes on.
  func giveUp() {
    if case .take(let order) = purpose { order.isInDoubt = true }
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
    case .create, .follow: nil
    case .take(let order): order.session
    case .show(let session), .delete(let session): session
    }
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
}
