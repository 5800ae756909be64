import FusionHTTPMessages
import FusionSessions

/// Checks of Inputs after the faults have stopped: Inputs settle, and keys hold.
extension FinalChecks {
  /// Checks that a client that waits long enough is told that its Inputs have settled, and that work without
  /// a State begins once.
  func settle() {
    for session in living {
      let number = world.nextNumber()
      let request = InputRequest(
        session,
        #"{"add":\#(number)}"#,
        [number],
        workNumbers: session.model.isWithoutWork ? [] : [number],
        prefer: "wait=9"
      )
      world.register(request)
      let response = send(request)
      // The session may have expired while others settled.
      guard !session.isOver else { continue }
      if let response, Bytes(response.bytes).isSettled != true {
        scheduler.fail(.settled, "\(session.id.redacted) never settles: \(response.text)")
      }
      if session.model == .alarm { knock(session) }
      if session.model.isOverlapping { sendAtOnce(to: session) }
      if let response = ask(.get, session.path, for: .show(session)), response.status == 200,
        Bytes(response.bytes).isSettled != true
      {
        scheduler.fail(.settled, "\(session.id.redacted) has no work left, but is not settled")
      }
    }
  }

  /// Checks that a request waits for an earlier one with its key that is in progress.
  private func sendAtOnce(to session: SessionRecord) {
    let numbers = [world.nextNumber(), world.nextNumber()]
    var answers: [HTTPResponse?] = []
    for (number, key) in [(numbers[0], nil), (numbers[1], "at-once"), (numbers[1], "at-once")] {
      let request =
        world.requests[number]
        ?? InputRequest(session, #"{"add":\#(number)}"#, [number], workNumbers: [number], key: key)
      if world.requests[number] == nil { world.register(request) }
      var headers: HTTPHeaders = ["Prefer": "wait=9"]
      if let key { headers.append("Idempotency-Key", key) }
      _ = world.ask(
        .post,
        session.path + "/inputs",
        request.body,
        headers: headers,
        for: .submit(request)
      ) { response, _ in answers.append(response) }
    }
    _ = scheduler.run(atMost: .seconds(9)) { answers.count == 3 }
    if answers.count != 3 || answers.contains(where: { $0?.status != 200 }) {
      scheduler.fail(.keys, "a request does not wait for the one before it with its key")
    }
  }

  private func knock(_ session: SessionRecord) {
    let number = world.nextNumber()
    let request = InputRequest(
      session,
      #"{"knock":\#(number)}"#,
      workNumbers: [number],
      key: "knock-\(number)",
      prefer: "wait=9"
    )
    world.register(request)
    for _ in 0..<2 { send(request) }
    if request.begun[number] != 1 {
      scheduler.fail(.acknowledged, "the acknowledged work of \(number) does not begin")
    }
  }

  /// Checks that keys hold in the next process, too, and that unanswered requests are answered by now.
  func replay() {
    for request in world.inputRequests where request.key != nil && !request.session.isOver {
      for _ in 0..<2 {
        let isKnown = request.answer != nil
        let before = request.session.seen
        send(request)
        let isQuiet = request.session.model.isWithoutWork && !request.session.model.isCalled
        if isKnown, isQuiet, request.session.seen > before {
          scheduler.fail(.keys, "a repetition makes a new version")
        }
      }
    }
    scheduler.run(for: .seconds(2))
    count()
    for request in world.inputRequests where request.key != nil && !request.session.isOver {
      judgeWhole(request)
    }
  }

  /// Checks that a batch with a key is applied in whole, even if it was interrupted.
  private func judgeWhole(_ request: InputRequest) {
    guard request.session.model.isSynchronous, !request.isUndone,
      let state = show(request.session)?.state
    else {
      return
    }
    let missing = request.numbers.filter { !state.numbers.contains($0) }
    if !missing.isEmpty {
      scheduler.fail(.keys, "the repeated batch \(request.numbers) lacks \(missing)")
    }
  }

  /// Checks that exactly the required number of keys is known, in the next process, too.
  func fillKeys() {
    guard world.plan.isFillingKeys else { return }
    ask(.post, "/sessions", #"{"viewModel":"tape"}"#, for: .create(.tape))
    guard let session = world.sessions.last, session.model == .tape, !session.isOver else { return }
    let count = KeyProgress.limit + 2
    let requests = (0..<count).map {
      InputRequest(session, "\"nothing\"", key: "filling-\($0)")
    }
    for request in requests { send(request) }
    expect(isKnown: true, requests[2])
    expect(isKnown: true, requests[count - 1])
    // The forgotten key counts as a new one.
    expect(isKnown: false, requests[1])
    world.kill()
    world.start()
    expect(isKnown: true, requests[3])
    expect(isKnown: true, requests[count - 1])
    expect(isKnown: false, requests[2])
    scheduler.run(for: .seconds(2))
  }

  private func expect(isKnown: Bool, _ request: InputRequest) {
    let repetition = InputRequest(request.session, request.body, key: request.key)
    let isRepetition = send(repetition)?.headers["Idempotency-Replayed"] != nil
    if isRepetition != isKnown {
      let name = request.key ?? ""
      scheduler.fail(.keys, "\(name) is \(isKnown ? "forgotten too early" : "never forgotten")")
    }
    if !isKnown { scheduler.coverage.add(.keyForgotten) }
  }
}
