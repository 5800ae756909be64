import FusionHTTPMessages
import FusionSessions

/// A client that creates sessions, sends Inputs, reads snapshots, repeats unanswered requests, and sometimes
/// deletes.
final class Client: @unchecked Sendable {
  // Guard: `Scheduler.checkThread()`.
  private let world: World
  private let number: Int
  private var keys = 0
  private(set) var isDone = false

  init(_ world: World, number: Int) {
    self.world = world
    self.number = number
  }

  func begin() {
    Task.detached(executorPreference: world.outside) { [self] in
      await create()
      for _ in 0..<world.plan.actions {
        await world.pause(upTo: .milliseconds(600))
        await act()
      }
      isDone = true
    }
  }

  private var scheduler: Scheduler { world.scheduler }

  private func act() async {
    let sessions = world.sessions.filter { !$0.isOver }
    guard !sessions.isEmpty else { return await create() }
    let session = sessions[scheduler.below(sessions.count)]
    switch scheduler.below(30) {
    case 0: await delete(session)
    case 1...2: await create()
    case 3...4: await look(at: session)
    case 5...6: await poll(session)
    case 7: await repeatOld(in: session)
    case 8: await reuseKey(in: session)
    case 9...10 where session.model == .alarm:
      await send(InputForms(scheduler.chance(70) ? "\"start\"" : "\"stop\""), to: session)
    case 11...14: sendSeveral(to: session)
    case 15...16: await fork(session)
    default: await send(InputForms(for: session.model, world), to: session)
    }
  }

  private func create() async {
    let model = world.plan.models[scheduler.below(world.plan.models.count)]
    for _ in 0..<20 {
      let (response, verdict) = await world.answer(
        .post,
        "/sessions",
        #"{"viewModel":"\#(model.rawValue)"}"#,
        for: .create(model)
      )
      if response?.status == 201, verdict == .done { return }
      await world.pause(upTo: .seconds(1))
    }
  }

  private func fork(_ session: SessionRecord) async {
    guard let versions = world.store.history.sessions[session.id]?.versions else { return }
    let fork = Fork(
      session: session,
      version: versions[scheduler.below(versions.count)],
      carriesWork: scheduler.chance(50)
    )
    let work = fork.carriesWork ? "carry" : "drop"
    for _ in 0..<4 {
      let (_, verdict) = await world.answer(
        .post,
        session.path + "/forks",
        #"{"version":\#(fork.version),"work":"\#(work)"}"#,
        for: .fork(fork)
      )
      if verdict == .done || verdict == .over { return }
      await world.pause(upTo: .seconds(1))
    }
  }

  private func look(at session: SessionRecord) async {
    _ = await world.answer(.get, session.path, for: .show(session))
  }

  private func poll(_ session: SessionRecord) async {
    let headers: HTTPHeaders = [
      "If-None-Match": "\"\(session.seen)\"",
      "Prefer": "wait=\(1 + scheduler.below(8))",
    ]
    _ = await world.answer(.get, session.path, headers: headers, for: .show(session))
  }

  private func delete(_ session: SessionRecord) async {
    for _ in 0..<3 {
      let (_, verdict) = await world.answer(.delete, session.path, for: .delete(session))
      if verdict == .done || verdict == .over { return }
      await world.pause(upTo: .seconds(1))
    }
  }

  // MARK: Inputs

  private func send(_ inputs: InputForms, to session: SessionRecord) async {
    let request = newRequest(inputs, to: session)
    if request.key != nil, scheduler.chance(15) {
      // The same request at the same time, as an impatient client sends it.
      Task.detached(executorPreference: world.outside) { [self] in _ = await send(request) }
    }
    for _ in 0..<4 {
      let verdict = await send(request)
      if verdict == .done || verdict == .over { return }
      // A request in doubt is repeated only with a key; without one, it could be applied twice.
      if verdict == .unknown, request.key == nil { return }
      if scheduler.chance(20) { return }
      await world.pause(upTo: .milliseconds(900))
    }
  }

  /// Sends several requests without waiting for answers.
  private func sendSeveral(to session: SessionRecord) {
    for _ in 0..<2 + scheduler.below(4) {
      let request = newRequest(InputForms(for: session.model, world), to: session)
      Task.detached(executorPreference: world.outside) { [self] in _ = await send(request) }
    }
  }

  private func newRequest(_ inputs: InputForms, to session: SessionRecord) -> InputRequest {
    keys += 1
    let isConditional = scheduler.chance(20)
    let prefer =
      switch scheduler.below(8) {
      case 0: "wait=2"
      case 1: "return=minimal"
      case 2 where !isConditional: "respond-async"
      case 3: "wait=0"
      default: nil as String?
      }
    let request = InputRequest(
      session,
      inputs.body,
      inputs.numbers,
      workNumbers: inputs.workNumbers,
      key: scheduler.chance(60) ? "k\(number)-\(keys)" : nil,
      prefer: prefer,
      isConditional: isConditional
    )
    world.register(request)
    return request
  }

  private func send(_ request: InputRequest) async -> Exchange.Verdict {
    await world.send(request, timeout: .milliseconds(300 + scheduler.below(6_000)))
  }

  /// Repeats a request that was answered long ago.
  private func repeatOld(in session: SessionRecord) async {
    let requests = world.inputRequests.filter { $0.session === session && $0.key != nil }
    guard !requests.isEmpty else { return }
    _ = await send(requests[scheduler.below(requests.count)])
  }

  /// Sends another body under the key of a processed request.
  private func reuseKey(in session: SessionRecord) async {
    let requests = world.inputRequests.filter {
      $0.session === session && $0.key != nil && $0.isAcknowledged && $0.answer != nil
    }
    guard !requests.isEmpty else { return }
    let request = requests[scheduler.below(requests.count)]
    _ = await world.answer(
      .post,
      session.path + "/inputs",
      // An additional space makes another body, too.
      scheduler.chance(30) ? request.body + " " : #"{"add":\#(world.nextNumber())}"#,
      headers: ["Idempotency-Key": request.key ?? ""],
      for: .reuseKey(request)
    )
  }
}

extension World {
  func send(_ request: InputRequest, timeout: Duration) async -> Exchange.Verdict {
    var headers: HTTPHeaders = [:]
    if let key = request.key { headers.append("Idempotency-Key", key) }
    if let prefer = request.prefer { headers.append("Prefer", prefer) }
    // Some clients know only an older version.
    let known = max(1, request.session.seen - (scheduler.chance(20) ? 1 : 0))
    return await answer(
      .post,
      request.session.path + "/inputs",
      request.body,
      headers: headers,
      condition: request.isConditional ? known : nil,
      for: .submit(request),
      timeout: timeout
    ).verdict
  }
}
