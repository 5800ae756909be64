import FusionHTTPMessages
import FusionSessions
import FusionStrictJSON

/// Checks of the answers to Inputs, and of their work.
extension Judge {
  func accepted(
    _ request: InputRequest,
    _ response: HTTPResponse,
    _ exchange: Exchange
  ) -> Exchange.Verdict {
    let session = request.session
    let isRepetition = response.headers["Idempotency-Replayed"] != nil
    let version = version(in: response, to: exchange, of: session)
    expect(
      version,
      notBelow: exchange.floor,
      exchange,
      isRepetition ? .repetitions : .versions
    )
    if isRepetition { scheduler.coverage.add(.inputRepeated) }
    if session.model == .courier { judgeOwed(response, request, exchange) }
    if request.key != nil { compare(response.status, version, with: request, exchange) }
    guard response.status != 202 else {
      request.isInDoubt = true
      return .unknown
    }
    if !isRepetition {
      if let condition = exchange.condition { metCondition(condition, request, exchange) }
      judgeSettled(response, request, exchange)
    }
    let state = version.flatMap { record(of: session)?.states[$0] }.map(Bytes.init)
    let missing = request.numbers.filter { state?.contains($0) != true }
    let isCutOff = isRepetition && !session.model.isSynchronous && !missing.isEmpty
    if isCutOff || request.isUndone && (isRepetition || !missing.isEmpty) {
      // The work was stored as begun and interrupted before it changed State, or a recovery has undone it.
      request.isInDoubt = true
    } else {
      request.isAcknowledged = true
      if let first = missing.first {
        scheduler.fail(
          .acknowledged,
          "#\(exchange.number) acknowledges \(first) with a State that lacks it"
        )
      }
    }
    return .done
  }

  /// Checks that all answers to one key are the same, except for the snapshot.
  private func compare(
    _ status: Int,
    _ version: Int?,
    with request: InputRequest,
    _ exchange: Exchange
  ) {
    guard let first = request.answer else {
      // Before its Inputs are processed, an answer 202 does not bind the key, even if it is repeated.
      if status != 202 { request.answer = InputRequest.Answer(status: status, version: version) }
      return
    }
    if first.status != status {
      scheduler.fail(
        .repetitions,
        "#\(exchange.number) gets \(status), but the first request with its key got \(first.status)"
      )
    }
    if let version, let before = first.version, version < before {
      scheduler.fail(.repetitions, "#\(exchange.number) shows version \(version) after \(before)")
    }
  }

  /// Checks that no work of a refused request has begun.
  func refused(_ exchange: Exchange) -> Exchange.Verdict {
    guard case .submit(let request) = exchange.purpose else { return .refused }
    request.isRefused = true
    if request.isKnownToBeRefused, let number = request.begun.keys.min() {
      scheduler.fail(
        .workOnce,
        "#\(exchange.number) is refused, but the work of \(number) has begun"
      )
    }
    return .refused
  }

  // MARK: Conditions

  private func metCondition(_ condition: Int, _ request: InputRequest, _ exchange: Exchange) {
    scheduler.coverage.add(.conditionMet)
    if exchange.floor > condition {
      scheduler.fail(
        .condition,
        "#\(exchange.number) succeeds at version \(condition), though \(exchange.floor) had been seen"
      )
    }
    // Work that suspends changes State after the turn that evaluated the condition.
    guard request.session.model.isSynchronous, let number = request.numbers.first,
      let record = record(of: request.session), let version = record.introduced[number]
    else { return }
    let before = record.version(before: version) ?? 0
    if before != condition {
      scheduler.fail(
        .condition,
        "#\(exchange.number) names version \(condition), but was applied to \(before)"
      )
    }
  }

  func failedCondition(_ response: HTTPResponse, _ exchange: Exchange) {
    scheduler.coverage.add(.conditionFailed)
    guard let session = exchange.purpose.session, let condition = exchange.condition else {
      return scheduler.fail(.contract, "#\(exchange.number) gets 412 without a condition")
    }
    let version = version(in: response, to: exchange, of: session)
    expect(version, notBelow: exchange.floor, exchange)
    if version == condition {
      scheduler.fail(.condition, "#\(exchange.number) is refused at the version that it names")
    }
  }

  // MARK: Work

  private func judgeSettled(
    _ response: HTTPResponse,
    _ request: InputRequest,
    _ exchange: Exchange
  ) {
    guard let isSettled = Bytes(response.bytes).isSettled else { return }
    if isSettled {
      let left = request.workNumbers.filter { exchange.service.probes.left[$0] != nil }
      if !left.isEmpty {
        scheduler.fail(
          .settled,
          "#\(exchange.number) is reported as settled, but \(left) has work left"
        )
      }
      if request.prefer == "wait=2", !request.workNumbers.isEmpty {
        scheduler.coverage.add(.settledAfterWait)
      }
    } else if request.session.model.isWithoutWork, request.session.model != .courier {
      scheduler.fail(.settled, "#\(exchange.number) is reported as unsettled, but has no work")
    }
  }

  /// Checks that a settled courier has a reply to all that it was asked to pass on, or the notice that it was refused.
  private func judgeOwed(
    _ response: HTTPResponse,
    _ request: InputRequest,
    _ exchange: Exchange
  ) {
    guard Bytes(response.bytes).isSettled == true, !request.session.isTakenBack,
      let body = try? JSONDocument(response.bytes).root["state"],
      let state = try? body.decode(ShownState.self)
    else { return }
    let owed = Courier.owed(state, for: request.numbers) { receiver in
      let record = world.sessions.first { "\($0.id)" == receiver }
      return record.map { $0.isTakenBack || world.store.stored($0.id) == nil } ?? false
    }
    if let owed {
      scheduler.fail(.settled, "#\(exchange.number) is reported as settled, but \(owed) is owed")
    } else if state.thanks?.isEmpty == false {
      scheduler.coverage.add(.repliedBeforeSettled)
    }
  }

  /// Checks that the commit that records an Input's work is stored when the work begins.
  func workBegan(_ number: Int, isRestored: Bool) {
    guard let request = world.requests[number], let record = record(of: request.session) else {
      return scheduler.fail(.workStart, "work begins for \(number), which no client has sent")
    }
    let isStored =
      record.mentioned.contains(number) || request.key.map(record.keys.contains) == true
    if !isStored {
      let isOfState = request.session.model == .alarm && request.numbers.contains(number)
      scheduler.fail(
        isOfState ? .workStart : .workStartWithoutState,
        "the work of \(number) begins before its commit is stored"
      )
    }
    guard !isRestored else { return }
    request.begun[number, default: 0] += 1
    if request.key != nil, request.numbers.isEmpty {
      scheduler.coverage.add(.keyedWorkWithoutState)
    }
    if request.session.model == .relay { scheduler.coverage.add(.reactorInput) }
    if request.begun[number] != 1 {
      scheduler.fail(.workOnce, "the work of \(number) begins twice")
    }
    if request.isKnownToBeRefused {
      scheduler.fail(
        .workOnce,
        "the work of \(number) begins, though its client was told that nothing was applied"
      )
    }
  }

  /// Checks that the numbers in a State are in the order of their requests.
  func judgeOrder(_ items: [Int], of session: SessionRecord) {
    let places = Dictionary(items.enumerated().map { ($1, $0) }) { first, _ in first }
    var last: (place: Int, request: InputRequest)?
    // The order of arrival is known only for requests with a single attempt.
    let requests = world.inputRequests.filter { $0.session === session && $0.attempts == 1 }
    for request in requests.sorted(by: { $0.arrival < $1.arrival }) {
      let found = request.numbers.compactMap { places[$0] }
      guard let first = found.first else { continue }
      if found != Array(first..<first + found.count) {
        scheduler.fail(.order, "the batch \(request.numbers) is out of order in \(items)")
      }
      if let last, first < last.place {
        scheduler.fail(
          last.request.hasFoundAsleep ? .orderAfterWaking : .order,
          "\(request.numbers) arrived after \(last.request.numbers), but was processed before"
        )
      }
      last = (first, request)
    }
  }
}
