import FusionHTTPMessages
import FusionSessions

/// A client that sends requests to any node, and repeats an unanswered request at another node.
final class ClusterClient: @unchecked Sendable {
  // Guard: `Scheduler.checkThread()`.
  private let world: ClusterWorld
  private let number: Int
  private let actions: Int
  private var requests = 0
  private(set) var isDone = false

  init(_ world: ClusterWorld, number: Int) {
    self.world = world
    self.number = number
    actions = 6 + world.scheduler.below(14)
  }

  private var scheduler: Scheduler { world.scheduler }

  func begin() {
    Task.detached(executorPreference: world.outside) { [self] in
      await create()
      for _ in 0..<actions {
        await world.pause(upTo: .milliseconds(700))
        await act()
      }
      isDone = true
    }
  }

  private func create() async {
    let usual = scheduler.chance(80) ? "tape" : scheduler.chance(50) ? "alarm" : "reminder"
    let name = world.isOfCouriers ? "courier" : usual
    for _ in 0..<40 {
      let response = await world.answer(
        world.anyNode(),
        .post,
        "/sessions",
        #"{"viewModel":"\#(name)"}"#
      )
      if response?.status == 201,
        let id = response?.headers["Location"].flatMap({ SessionID(String($0.dropFirst(10))) })
      {
        return world.ledger.open(id, isCourier: name == "courier")
      }
      await world.pause(upTo: .seconds(1))
    }
  }

  private func act() async {
    let sessions = world.ledger.sessions
    guard !sessions.isEmpty else { return }
    let id = sessions[scheduler.below(sessions.count)]
    switch scheduler.below(100) {
    case ..<32: await look(at: id)
    case ..<42: await fork(id)
    default: await send(to: id)
    }
  }

  private func look(at id: SessionID) async {
    let floor = world.ledger.seen(of: id)
    let response = await world.answer(world.anyNode(), .get, "/sessions/\(id)")
    guard let response, response.status == 200 else { return judge(response, of: id) }
    see(response, of: id, after: floor)
  }

  private func fork(_ id: SessionID) async {
    guard let version = world.ledger.anyVersion(of: id)?.version else { return }
    let work = scheduler.chance(50) ? "carry" : "drop"
    let response = await world.answer(
      world.anyNode(),
      .post,
      "/sessions/\(id)/forks",
      #"{"version":\#(version),"work":"\#(work)"}"#
    )
    guard let response, response.status == 201,
      let fork = response.headers["Location"].flatMap({ SessionID(String($0.dropFirst(10))) })
    else {
      if response?.problem != "unknown-version" { judge(response, of: id) }
      return
    }
    scheduler.coverage.add(.forkedAmongNodes)
    world.ledger.fork(fork, of: id, at: version)
    see(response, of: fork, after: version)
  }

  private func see(_ response: HTTPResponse, of id: SessionID, after floor: Int) {
    guard let (version, _) = Bytes(response.bytes).version else {
      return scheduler.fail(.contract, "an answer shows no version: \(response.text)")
    }
    world.ledger.see(version, response.state, of: id, after: floor, in: "an answer")
  }

  /// Fails the schedule for an answer that is neither a success nor an expected refusal.
  private func judge(_ response: HTTPResponse?, of id: SessionID) {
    guard let response, ![429, 503].contains(response.status) else { return }
    scheduler.fail(
      .contract,
      "a request for \(id.redacted) gets \(response.status) \(response.text)"
    )
  }

  private func send(to id: SessionID) async {
    let input = world.nextNumber()
    requests += 1
    let couriers = world.ledger.couriers
    var body = #"{"add":\#(input)}"#
    if couriers.contains(id) {
      let other = couriers[scheduler.below(couriers.count)]
      body = #"{"pass":{"_0":\#(input),"to":"\#(other)"}}"#
    }
    let isKeyed = scheduler.chance(70)
    var isInDoubt = false
    for attempt in 0..<60 {
      var headers: HTTPHeaders = ["X-Trial": "\(number)-\(requests)-\(attempt)"]
      if isKeyed { headers.append("Idempotency-Key", "k\(number)-\(requests)") }
      let floor = world.ledger.seen(of: id)
      let response = await world.answer(
        world.anyNode(),
        .post,
        "/sessions/\(id)/inputs",
        body,
        headers: headers
      )
      switch (response?.status, response?.problem) {
      case (200, _):
        world.ledger.acknowledge(input, of: id)
        if let response { see(response, of: id, after: floor) }
        return
      case (nil, _), (503, "store-in-doubt"): isInDoubt = true
      case (429, _), (503, _): break
      default: return judge(response, of: id)
      }
      if isInDoubt, !isKeyed { return }
      // Most clients do not give up.
      if !isInDoubt, scheduler.chance(5) { return world.ledger.refuse(input, of: id) }
      await world.pause(upTo: .milliseconds(600))
    }
    if !isInDoubt { world.ledger.refuse(input, of: id) }
  }
}

extension HTTPResponse {
  /// The State in a snapshot, as its exact bytes.
  var state: [UInt8]? { stateText(in: text).map { Array($0.utf8) } }
}

/// Returns the member `state` of a snapshot's text, up to the next member.
func stateText(in text: String) -> String? {
  guard let start = text.firstRange(of: #""state":"#)?.upperBound else { return nil }
  let rest = text[start...]
  let end = rest.firstRange(of: #","settled":"#)?.lowerBound ?? rest.lastIndex(of: "}")
  return String(rest[..<(end ?? rest.endIndex)])
}
