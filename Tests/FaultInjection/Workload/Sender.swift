import Foundation
import FusionRawHTTP

/// A client that sends Inputs to one session one after another, and repeats Inputs with a key until their
/// outcome is known.
///
/// Used by one thread at a time.
final class Sender: @unchecked Sendable {
  // Guard: an episode runs its rounds one after another.
  private let number: Int
  private let session: History.SessionPath
  private var generator: Generator
  private var count = 0
  /// The request that must be sent again.
  private var pending: PlannedRequest?
  private var connections: [RawClient] = []
  private var port = 0
  /// The newest version that the sender has seen.
  private var newest = 0

  init(_ number: Int, to session: History.SessionPath, _ generator: Generator) {
    self.number = number
    self.session = session
    self.generator = generator
  }

  /// Sends until the round is over and no request is pending, or the process is dead.
  func run(in round: Round) {
    reconnect(in: round)
    while round.service.isAlive {
      if pending == nil {
        guard !round.isFinishing else { break }
        if generator.isChosen(percent: 2) { fork(in: round) }
        pending = plan()
      }
      guard let request = pending else { break }
      let answers = send(request, in: round)
      if request.key == nil || answers.contains(where: \.isFinal) || gaveUp(answers) {
        pending = nil
      }
    }
    connections = []
  }

  /// Sends a new Input with a key, and again as long as `mayRepeat` returns true.
  func send(
    _ form: PlannedRequest.Form,
    batch: Int,
    in round: Round,
    mayRepeat: (Request.Answer) -> Bool
  ) {
    if connections.isEmpty { reconnect(in: round) }
    let request = plan(form, batch: batch, key: UUID().uuidString, preference: "wait=5")
    while let answer = send(request, in: round).first, mayRepeat(answer) {}
  }

  /// Drops the connections after a restart of the service.
  func disconnect() { connections = [] }

  /// Sends a last Input, whose answer shows that all Inputs before it are processed.
  func close(in round: Round) {
    pending = plan(.add, batch: 1, key: UUID().uuidString, preference: "wait=10")
    run(in: round)
  }

  /// Returns whether a refused request is given up, as a client may.
  private func gaveUp(_ answers: [Request.Answer]) -> Bool {
    answers.allSatisfy(\.isRefused) && generator.isChosen(percent: 30)
  }

  private func plan() -> PlannedRequest {
    let hasKey = generator.isChosen(percent: 65)
    var request = plan(
      PlannedRequest.Form.allCases.randomElement(using: &generator) ?? .add,
      batch: generator.isChosen(percent: 20) ? 3 : 1,
      key: hasKey ? UUID().uuidString : nil,
      // With a key, a request answered 202 is always answered 202.
      preference: [nil, "wait=5", hasKey ? nil : "respond-async"].randomElement(using: &generator)
        ?? nil
    )
    request.isDoubled = hasKey && generator.isChosen(percent: 25)
    return request
  }

  private func plan(
    _ form: PlannedRequest.Form,
    batch: Int,
    key: String?,
    preference: String?
  ) -> PlannedRequest {
    let inputs = (0..<batch).map { _ in
      count += 1
      return Request.Input(InputNumber(sender: number, count), changesState: form != .ring)
    }
    return PlannedRequest(inputs: inputs, key: key, form: form, preference: preference)
  }

  /// Forks the session at a version that was shown.
  private func fork(in round: Round) {
    guard newest > 0, let client = try? connection(0) else { return }
    let (version, sent) = (Int.random(in: 1...newest, using: &generator), now())
    client.request(
      "POST \(session)/forks",
      "Content-Type: application/json\r\n",
      body: #"{"version":\#(version)}"#
    )
    let response = (try? client.response()) ?? nil
    let received = now()
    guard let response, round.service.isAlive else { return connections = [] }
    switch (response.status, response["Location"], Snapshot(response.text)) {
    case (201, let path?, let snapshot?):
      round.recorder.record(Fork(path, of: session, at: version))
      round.recorder.record(
        View(
          path,
          .answer,
          asked: sent,
          received: received,
          version: snapshot.version,
          items: snapshot.items
        )
      )
    // Old versions may be dropped.
    case (404, _, _) where response.text.contains("/problems/unknown-version"): break
    case (429, _, _), (503, _, _), (507, _, _): break
    default:
      let text = "\(response.status) \(response.text)"
      round.recorder.record(Request(session, [], sent: sent, .unexpected(text)))
    }
  }

  // MARK: Connections

  private func reconnect(in round: Round) {
    port = round.service.port
    connections = []
  }

  private func connection(_ index: Int) throws -> RawClient {
    while connections.count <= index { connections.append(try RawClient(port, silence: 30)) }
    return connections[index]
  }

  /// Sends a request, over two connections at once if doubled; returns each answer.
  private func send(_ request: PlannedRequest, in round: Round) -> [Request.Answer] {
    let places = 0..<(request.isDoubled ? 2 : 1)
    var sent: [(Moment, RawClient?)] = []
    for place in places {
      let moment = now()
      let client = try? connection(place)
      client?.request(
        "POST \(session)/inputs",
        "Content-Type: application/json\r\n" + request.fields,
        body: request.body
      )
      sent.append((moment, client))
    }
    var answers: [Request.Answer] = []
    for (moment, client) in sent {
      let answer = client.map { self.answer(on: $0, sent: moment, in: round) } ?? .unknown
      round.recorder.record(
        Request(session, request.inputs, key: request.key, sent: moment, answer)
      )
      round.count(isAcknowledged: answer.isAcknowledged)
      answers.append(answer)
    }
    // A connection whose answer is missing cannot be reused.
    if answers.contains(where: { $0 == .missing }) || sent.contains(where: { $0.1 == nil }) {
      connections = []
    }
    return answers
  }

  private func answer(on client: RawClient, sent: Moment, in round: Round) -> Request.Answer {
    do {
      let response = try client.response()
      let received = now()
      // An answer received after the kill does not count.
      guard round.service.isAlive else { return .unknown }
      guard let response else {
        connections = []
        return .missing
      }
      return read(response, sent, received, round.recorder)
    } catch {
      return round.service.isAlive ? .missing : .unknown
    }
  }

  private func read(
    _ response: RawClient.Response,
    _ sent: Moment,
    _ received: Moment,
    _ recorder: Recorder
  ) -> Request.Answer {
    let isRepetition = response["Idempotency-Replayed"] != nil
    switch response.status {
    case 200, 202:
      guard let snapshot = Snapshot(response.text) else { return .unexpected(response.text) }
      let view = View(
        session,
        isRepetition ? .repetition : .answer,
        asked: sent,
        received: received,
        version: snapshot.version,
        items: snapshot.items
      )
      let index = recorder.record(view)
      newest = max(newest, snapshot.version)
      return response.status == 202
        ? .queued
        : .acknowledged(view: index, isSettled: snapshot.isSettled, isRepetition: isRepetition)
    case 429: return .refused("queue-full")
    case 503 where response.text.contains(#""/problems/store-in-doubt""#): return .unknown
    case 503 where response.text.contains(#""/problems/store-unreachable""#):
      return .refused("store-unreachable")
    case 507: return .refused("store-full")
    case 503 where response.text.contains(#""/problems/draining""#): return .unknown
    default: return .unexpected("\(response.status) \(response.text)")
    }
  }
}

extension Request.Answer {
  package var isAcknowledged: Bool {
    if case .acknowledged = self { true } else { false }
  }

  /// Whether a repetition would get the same outcome.
  fileprivate var isFinal: Bool {
    switch self {
    case .acknowledged, .queued, .unexpected: true
    case .refused, .unknown, .missing: false
    }
  }

  fileprivate var isRefused: Bool {
    if case .refused = self { true } else { false }
  }
}
