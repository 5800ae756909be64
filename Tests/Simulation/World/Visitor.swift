import HTTPMessages
import Sessions

/// A client that opens sessions, sends Inputs, looks, repeats what was not answered, and sometimes
/// deletes.
final class Visitor: @unchecked Sendable {
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
      for _ in 0..<world.plan.orders {
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
    switch scheduler.below(24) {
    case 0, 23: await delete(session)
    case 1: await create()
    case 2...4: await look(at: session)
    case 5...6: await poll(session)
    case 7: await repeatOld(in: session)
    case 8...9 where session.viewModel == "alarm": await tell(session, ["\"start\"", "\"stop\""])
    default: await order(in: session)
    }
  }

  private func create() async {
    let name = ["tape", "alarm", "slow"][scheduler.below(3)]
    for _ in 0..<20 {
      let (response, verdict) = await world.answer(
        .post,
        "/sessions",
        #"{"viewModel":"\#(name)"}"#,
        for: .create(viewModel: name)
      )
      if response?.status == 201, verdict == .done { return }
      await world.pause(upTo: .seconds(1))
    }
  }

  private func look(at session: SessionRecord) async {
    _ = await world.answer(.get, session.path, for: .show(session))
  }

  private func poll(_ session: SessionRecord) async {
    let headers: HTTPHeaders = [
      "If-None-Match": "\"\(session.seen)\"",
      "Prefer": "wait=\(1 + scheduler.below(3))",
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

  private func order(in session: SessionRecord) async {
    let count = scheduler.chance(30) ? 2 + scheduler.below(2) : 1
    let numbers = (0..<count).map { _ in world.nextNumber() }
    let inputs = numbers.map { #"{"add":\#($0)}"# }
    let body = count == 1 ? inputs[0] : "[\(inputs.joined(separator: ","))]"
    await send(body, numbers, in: session)
  }

  private func tell(_ session: SessionRecord, _ inputs: [String]) async {
    await send(inputs[scheduler.below(inputs.count)], [], in: session)
  }

  private func send(_ body: String, _ numbers: [Int], in session: SessionRecord) async {
    keys += 1
    let isConditional = scheduler.chance(15)
    let prefer =
      switch scheduler.below(8) {
      case 0: "wait=2"
      case 1: "return=minimal"
      case 2 where !isConditional: "respond-async"
      case 3: "wait=0"
      default: nil as String?
      }
    let order = Order(
      session,
      numbers,
      body: body,
      key: scheduler.chance(60) ? "k\(number)-\(keys)" : nil,
      prefer: prefer,
      isConditional: isConditional
    )
    world.orders.append(order)
    if order.key != nil, scheduler.chance(15) {
      // The same at the same time, as an impatient client sends it.
      Task.detached(executorPreference: world.outside) { [self] in _ = await send(order) }
    }
    for _ in 0..<4 {
      let verdict = await send(order)
      if verdict == .done || verdict == .over { return }
      // What is in doubt is only repeated with a key: without, it could be done twice.
      if verdict == .unknown, order.key == nil { return }
      if scheduler.chance(20) { return }
      await world.pause(upTo: .milliseconds(900))
    }
  }

  private func send(_ order: Order) async -> Exchange.Verdict {
    await world.send(order, patience: .milliseconds(300 + scheduler.below(6_000)))
  }

  /// Sends again what was answered long ago.
  private func repeatOld(in session: SessionRecord) async {
    let orders = world.orders.filter { $0.session === session && $0.key != nil }
    guard !orders.isEmpty else { return }
    _ = await send(orders[scheduler.below(orders.count)])
  }
}

extension World {
  func send(_ order: Order, patience: Duration) async -> Exchange.Verdict {
    var headers: HTTPHeaders = [:]
    if let key = order.key { headers.append("Idempotency-Key", key) }
    if let prefer = order.prefer { headers.append("Prefer", prefer) }
    if order.isConditional { headers.append("If-Match", "\"\(order.session.seen)\"") }
    return await answer(
      .post,
      order.session.path + "/inputs",
      order.body,
      headers: headers,
      for: .take(order),
      patience: patience
    ).verdict
  }
}
