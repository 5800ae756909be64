import FusionHTTPMessages
import FusionStrictJSON
import UIFusionKit

/// The session of a run: the States that the service has shown of it, by answers and by its stream.
///
/// Used by one task. Each State is checked: a version has one State, and none that was acknowledged is lost.
final class ScenarioSession {
  let id: String
  private let service: ScenarioService
  private let person: String?
  private let feed: StateFeed
  private let run: String
  private var sent = 0
  /// The States that the next step may wait for, by version.
  private var shown: [(version: Int, state: JSONTree)] = []
  /// The highest version of any answer.
  private var acknowledged = 0
  /// The version at which the stream has to begin, or later; nil once it has begun.
  private var least: Int?
  /// The last version of the stream.
  private var streamed = 0
  /// The names of the members of the first State: a recording may have private ones beside them.
  private var members: Set<String> = []
  /// The State and the version before the last Input; States up to it count no more, even if they come late.
  private var pulses = JSONTree.null
  private var floor = 0

  private init(_ id: String, _ service: ScenarioService, _ person: String?) {
    (self.id, self.service, self.person) = (id, service, person)
    feed = StateFeed(service, "/sessions/\(id)/events", as: person)
    run = "run-\(UInt64.random(in: 0 ... .max))"
  }

  /// Creates a session, or finds the one with the name.
  static func make(
    _ viewModel: String,
    name: String?,
    parameters: JSONTree?,
    as person: String?,
    _ service: ScenarioService,
    until deadline: Duration
  ) async throws(StepFailure) -> (session: ScenarioSession, isNew: Bool) {
    var body: JSONTree = ["viewModel": .string(viewModel)]
    if let name { body = body.adding(["name": .string(name)]) }
    if let parameters { body = body.adding(["parameters": parameters]) }
    let answer = try await service.ask(
      .post,
      "/sessions",
      body,
      as: person,
      // A second request would make a second session.
      repeatsUnanswered: name != nil,
      until: deadline
    )
    guard [200, 201].contains(answer.status), let id = answer.json?["id"]?.string else {
      throw StepFailure([answer.text])
    }
    let session = ScenarioSession(id, service, person)
    try session.take(answer)
    session.members = Set(session.shown.flatMap { $0.state.members.map(\.name) })
    session.open()
    return (session, answer.status == 201)
  }

  /// Sends an Input, or a batch; the States before it count no more.
  ///
  /// - Parameters:
  ///   - input: the Input, or an array of them.
  ///   - person: who sends it.
  ///   - refusal: the type of the problem that has to refuse it.
  ///   - isExact: whether to ask for the current State before, as the stream may lag behind.
  ///   - deadline: when an answer has to be there.
  /// - Throws: ``StepFailure``.
  func send(
    _ input: JSONTree,
    as person: String?,
    refusal: String?,
    isExact: Bool,
    until deadline: Duration
  ) async throws(StepFailure) {
    sent += 1
    if isExact { try await update(until: deadline) }
    let last = shown.last
    let answer = try await service.ask(
      .post,
      "/sessions/\(id)/inputs",
      input,
      as: person,
      key: "\(run)-\(sent)",
      accepting: refusal,
      until: deadline
    )
    if let refusal {
      guard answer.problem == refusal else { throw StepFailure(["answered with \(answer.text)"]) }
      return
    }
    guard answer.status == 200 else { throw StepFailure([answer.text]) }
    if let last {
      pulses = last.state
      shown.removeAll { $0.version <= last.version }
      floor = last.version
    }
    try take(answer)
  }

  /// Waits for a State that fits.
  func expect(_ pattern: StatePattern, until deadline: Duration) async throws(StepFailure) {
    var nearest: [String]?
    let pattern = pattern.withoutTop { members.contains($0) }
    try await wait(until: deadline) { state in
      let differences = pattern.differences(to: state)
      if differences.count <= nearest?.count ?? .max { nearest = differences }
      return differences.isEmpty
    } otherwise: {
      ["this State did not come (expected → found):"]
        + (nearest ?? ["no State came"]).map { "  \($0)" }
    }
  }

  /// Waits until a Pulse is assigned after the last Input.
  func expectPulse(_ path: String, _ value: JSONTree?, until deadline: Duration)
    async throws(StepFailure)
  {
    let before = pulses.value(at: path)?["pulse"]?.integer ?? 0
    var found: JSONTree?
    try await wait(until: deadline) { state in
      found = state.value(at: path)
      guard let number = found?["pulse"]?.integer, number > before else { return false }
      return value == nil || found?["value"]?.withPlainNumbers == value?.withPlainNumbers
    } otherwise: {
      guard let found else { return ["State has no member \(path)"] }
      guard found["pulse"] != nil else { return ["\(path) is no Pulse: \(found.text)"] }
      return ["the Pulse was not assigned; it is \(found.text)"]
    }
  }

  /// Waits until the session has no work.
  func settle(until deadline: Duration) async throws(StepFailure) {
    while true {
      // A question at the last moment has time for its answer.
      let patience = max(deadline, service.time.now + .seconds(5))
      if try await update(until: patience)["settled"] == true { return }
      let pause = Duration.milliseconds(20)
      guard service.time.now + pause < deadline, (try? await service.time.sleep(for: pause)) != nil
      else { throw StepFailure(["the session still has work"]) }
    }
  }

  /// Breaks the stream off, opens it again, and waits for its first State: earlier ones count no more.
  func reconnect(until deadline: Duration) async throws(StepFailure) {
    let last = shown.last
    (shown, floor) = (last.map { [$0] } ?? [], 0)
    open()
    while least != nil {
      switch await feed.next(until: deadline) {
      case nil: throw StepFailure(["the new stream brought no State"])
      case .line(let event): try take(event)
      case .closed: try await reopen(until: deadline) { ["the new stream brought no State"] }
      }
    }
    shown.removeFirst(max(0, shown.count - 1))
  }

  private func open() {
    (least, streamed) = (acknowledged, 0)
    feed.open()
  }

  /// Opens the stream again after a pause, if there is time for that.
  private func reopen(
    until deadline: Duration,
    otherwise lines: () -> [String]
  ) async throws(StepFailure) {
    let pause = Duration.milliseconds(100)
    guard service.time.now + pause < deadline, (try? await service.time.sleep(for: pause)) != nil
    else { throw StepFailure(lines() + ["the stream was closed"]) }
    open()
  }

  /// Asks for the current State.
  @discardableResult
  private func update(until deadline: Duration) async throws(StepFailure) -> JSONTree {
    let answer = try await service.ask(.get, "/sessions/\(id)", as: person, until: deadline)
    guard answer.status == 200 else { throw StepFailure([answer.text]) }
    try take(answer)
    return answer.json ?? .null
  }

  func delete() async {
    _ = try? await service.ask(
      .delete,
      "/sessions/\(id)",
      as: person,
      until: service.time.now + .seconds(5)
    )
  }

  private func wait(
    until deadline: Duration,
    for fits: (JSONTree) -> Bool,
    otherwise lines: () -> [String]
  ) async throws(StepFailure) {
    while true {
      if let index = shown.firstIndex(where: { fits($0.state) }) {
        shown.removeFirst(index)
        return
      }
      switch await feed.next(until: deadline) {
      case nil: throw StepFailure(lines())
      case .line(let event): try take(event)
      case .closed: try await reopen(until: deadline, otherwise: lines)
      }
    }
  }

  /// Takes the State of an answer.
  private func take(_ answer: ScenarioService.Answer) throws(StepFailure) {
    guard let json = answer.json, let version = json["version"]?.integer, let state = json["state"]
    else { throw StepFailure(["answered without a version and a State"]) }
    guard version >= acknowledged else {
      throw StepFailure(["version \(version) was answered after version \(acknowledged)"])
    }
    acknowledged = version
    try show(version, state)
  }

  /// Takes an event of the stream.
  private func take(_ event: JSONTree) throws(StepFailure) {
    if event["event"] == "end" {
      throw StepFailure(["the session has ended: \(event["reason"]?.string ?? "")"])
    }
    guard let version = event["version"]?.integer, let state = event["state"] else {
      throw StepFailure(["the stream has a line that is no event: \(event.text.prefix(60))"])
    }
    if let least, version < least {
      throw StepFailure(["the stream begins at version \(version), but \(least) was answered"])
    }
    guard version > streamed else {
      throw StepFailure(["the stream went back from version \(streamed) to \(version)"])
    }
    (least, streamed) = (nil, version)
    if version > floor { try show(version, state) }
  }

  private func show(_ version: Int, _ state: JSONTree) throws(StepFailure) {
    let index = shown.firstIndex { $0.version >= version } ?? shown.endIndex
    guard index < shown.endIndex, shown[index].version == version else {
      return shown.insert((version, state), at: index)
    }
    let lines = JSONDifference(from: shown[index].state, to: state).lines
    guard lines.isEmpty else {
      throw StepFailure(["version \(version) came with two States:"] + lines)
    }
  }
}
