import FusionHTTPMessages
import FusionSessions

/// Checks that each message of the service matches the store at that moment.
final class Judge {
  unowned let world: World

  init(_ world: World) {
    self.world = world
  }

  var scheduler: Scheduler { world.scheduler }

  func record(of session: SessionRecord) -> StoreHistory.Record? {
    world.store.history.sessions[session.id]
  }

  // MARK: Snapshots

  /// Checks that a version and State that are shown are stored.
  func see(_ version: Int, _ shown: Bytes?, of session: SessionRecord, in what: String) {
    guard let state = record(of: session)?.states[version] else {
      return scheduler.fail(
        .acknowledged,
        "\(what) shows version \(version) of \(session.id.redacted), which is not stored"
      )
    }
    if let shown, !shown.shows(state) {
      scheduler.fail(
        .acknowledged,
        "\(what) shows version \(version) with another State than is stored"
      )
    }
    session.seen = max(session.seen, version)
  }

  /// Returns the version in an answer's body or ETag, after checking it.
  func version(
    in response: HTTPResponse,
    to exchange: Exchange,
    of session: SessionRecord
  ) -> Int? {
    let what = "the answer to #\(exchange.number)"
    if response.bytes.isEmpty {
      let tag = response.headers["ETag"].flatMap { Int($0.dropFirst().dropLast()) }
      guard let tag else {
        scheduler.fail(.contract, "\(what) has no ETag")
        return nil
      }
      see(tag, nil, of: session, in: what)
      return tag
    }
    guard let (version, rest) = Bytes(response.bytes).version else {
      scheduler.fail(.contract, "\(what) shows no version: \(response.text)")
      return nil
    }
    see(version, rest, of: session, in: what)
    return version
  }

  func expect(
    _ version: Int?,
    notBelow floor: Int,
    _ exchange: Exchange,
    _ rule: Rule = .versions
  ) {
    if let version, version < floor {
      scheduler.fail(rule, "#\(exchange.number) shows version \(version) after \(floor) was seen")
    }
  }

  // MARK: Answers

  func verdict(on response: HTTPResponse, to exchange: Exchange) -> Exchange.Verdict {
    switch (exchange.purpose, response.status) {
    case (.create(let model), 201): created(response, model, exchange)
    case (.fork(let fork), 201): forked(response, fork, exchange)
    case (.fork(let fork), 404): return notForked(response, fork)
    case (.show(let session), 200), (.show(let session), 304):
      let version = version(in: response, to: exchange, of: session)
      expect(version, notBelow: exchange.floor, exchange)
    case (.delete(let session), 204):
      if record(of: session)?.end == nil {
        scheduler.fail(
          .acknowledged,
          "\(session.id.redacted) is reported as deleted, but is still stored"
        )
      }
      session.isOver = true
    case (.follow, 200): break
    case (.submit(let request), 200), (.submit(let request), 202), (.submit(let request), 204):
      return accepted(request, response, exchange)
    case (.reuseKey, 422) where response.problem == "reused-idempotency-key":
      scheduler.coverage.add(.keyReused)
    case (.reuseKey, 200):
      scheduler.fail(.keys, "#\(exchange.number) is accepted under the key of another body")
    default: return problem(response, to: exchange)
    }
    return .done
  }

  @discardableResult
  func created(
    _ response: HTTPResponse,
    _ model: ModelKind,
    _ exchange: Exchange
  ) -> SessionRecord? {
    guard let id = response.headers["Location"].flatMap({ SessionID(String($0.dropFirst(10))) })
    else {
      scheduler.fail(.contract, "a new session has no Location")
      return nil
    }
    let session = SessionRecord(id, model: model)
    world.use(session, in: exchange.service, since: exchange.start)
    world.sessions.append(session)
    _ = version(in: response, to: exchange, of: session)
    return session
  }

  private func problem(_ response: HTTPResponse, to exchange: Exchange) -> Exchange.Verdict {
    switch (response.status, response.problem) {
    case (412, _):
      failedCondition(response, exchange)
      return refused(exchange)
    case (429, _):
      scheduler.coverage.add(.queueFull)
      if world.plan.queuedInputs > 100 {
        scheduler.fail(
          .contract,
          "#\(exchange.number) is refused for a full queue that cannot be full"
        )
      }
      return refused(exchange)
    case (507, _), (503, "store-unreachable"): return refused(exchange)
    case (503, "draining"):
      scheduler.coverage.add(.refusedWhileStopping)
      return refused(exchange)
    case (503, "store-in-doubt"):
      if case .submit(let request) = exchange.purpose { request.isInDoubt = true }
      return .unknown
    case (410, "ended-session"):
      let living = exchange.purpose.sessions.filter { record(of: $0)?.end == nil }
      guard living.isEmpty else {
        let isMigrating = world.plan.isDeployedAnew && living.allSatisfy { $0.model == .book }
        scheduler.fail(
          isMigrating ? .shownAfterMigration : .ended,
          "\(living[0].id.redacted) is reported as ended, but is still stored"
        )
        return .refused
      }
      for session in exchange.purpose.sessions { session.isOver = true }
      return .over
    case (404, "unknown-session") where exchange.purpose.sessions.contains(where: mayBeForgotten):
      let living = exchange.purpose.sessions.filter { !mayBeForgotten($0) }
      for session in exchange.purpose.sessions where mayBeForgotten(session) {
        session.isOver = true
        session.isForgotten = true
      }
      return living.isEmpty ? .over : .refused
    default:
      scheduler.fail(
        .contract,
        "#\(exchange.number) gets \(response.status) \(response.text)"
      )
      return .unknown
    }
  }

  /// Whether an ended session's id may be forgotten, after ten minutes of the calendar.
  private func mayBeForgotten(_ session: SessionRecord) -> Bool {
    record(of: session)?.end != nil && world.isClockAhead
  }

  /// Checks that no more view models exist than sessions, whenever no job is ready.
  func atRest() {
    guard let service = world.service else { return }
    let opening = world.exchanges.values.filter {
      switch $0.purpose {
      case .create, .fork: true
      default: false
      }
    }
    let most = service.host.directory.awake + opening.count
    if service.probes.alive > most {
      scheduler.fail(.ended, "\(service.probes.alive) view models exist for \(most) sessions")
    }
  }
}
