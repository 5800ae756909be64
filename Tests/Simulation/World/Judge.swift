import HTTPMessages
import Sessions

/// Holds what leaves the service against what the store holds at that moment.
final class Judge {
  unowned let world: World

  init(_ world: World) {
    self.world = world
  }

  private var scheduler: Scheduler { world.scheduler }

  private func record(of session: SessionRecord) -> StoreHistory.Record? {
    world.store.history.sessions[session.id]
  }

  // MARK: Snapshots

  /// A version and State that somebody is shown: both have to be stored by now.
  func see(_ version: Int, _ shown: Bytes?, of session: SessionRecord, in what: String) {
    guard let state = record(of: session)?.states[version] else {
      return scheduler.fail(
        "1, 4: \(what) shows version \(version) of \(session.id.redacted), which is not stored"
      )
    }
    if let shown, !shown.shows(state) {
      scheduler.fail("1: \(what) shows version \(version) with another State than is stored")
    }
    session.seen = max(session.seen, version)
  }

  /// The version that a body shows, after a look at it.
  private func snapshot(
    in response: HTTPResponse,
    to exchange: Exchange,
    of session: SessionRecord
  ) -> Int? {
    let bytes = Bytes(response.bytes)
    guard let (version, rest) = bytes.version else {
      scheduler.fail("an answer shows no version: \(response.text)")
      return nil
    }
    see(version, rest, of: session, in: "the answer to #\(exchange.number)")
    return version
  }

  /// The version that stands in the answer's ETag.
  private func tagged(
    _ response: HTTPResponse,
    to exchange: Exchange,
    of session: SessionRecord
  ) -> Int? {
    guard let version = response.headers["ETag"].flatMap({ Int($0.dropFirst().dropLast()) }) else {
      scheduler.fail("an answer has no ETag")
      return nil
    }
    see(version, nil, of: session, in: "the answer to #\(exchange.number)")
    return version
  }

  private func expect(_ version: Int?, notBelow floor: Int, _ exchange: Exchange) {
    if let version, version < floor {
      scheduler.fail("3: #\(exchange.number) shows version \(version) after \(floor) was seen")
    }
  }

  // MARK: Answers

  func verdict(on response: HTTPResponse, to exchange: Exchange) -> Exchange.Verdict {
    switch (exchange.purpose, response.status) {
    case (.create(let viewModel), 201): created(response, viewModel, exchange)
    case (.show(let session), 200):
      expect(snapshot(in: response, to: exchange, of: session), notBelow: exchange.floor, exchange)
    case (.show(let session), 304):
      expect(tagged(response, to: exchange, of: session), notBelow: exchange.floor, exchange)
    case (.delete(let session), 204):
      if record(of: session)?.end == nil {
        scheduler.fail("1: \(session.id.redacted) is said to be deleted, and stands in the store")
      }
      session.isOver = true
    case (.follow, 200): break
    case (.take(let order), 200), (.take(let order), 202), (.take(let order), 204):
      return taken(order, response, exchange)
    default: return problem(response, to: exchange)
    }
    return .done
  }

  private func created(_ response: HTTPResponse, _ viewModel: String, _ exchange: Exchange) {
    guard let id = response.headers["Location"].flatMap({ SessionID(String($0.dropFirst(10))) })
    else { return scheduler.fail("a new session has no Location") }
    let session = SessionRecord(id, viewModel: viewModel)
    world.sessions.append(session)
    _ = snapshot(in: response, to: exchange, of: session)
  }

  private func taken(
    _ order: Order,
    _ response: HTTPResponse,
    _ exchange: Exchange
  ) -> Exchange.Verdict {
    let session = order.session
    let isReplayed = response.headers["Idempotency-Replayed"] != nil
    let version =
      response.status == 204
      ? tagged(response, to: exchange, of: session)
      : snapshot(in: response, to: exchange, of: session)
    if !isReplayed { expect(version, notBelow: exchange.floor, exchange) }
    if order.key != nil { keep(response, of: order, exchange) }
    guard response.status != 202 else {
      order.isInDoubt = true
      return .unknown
    }
    order.isAcknowledged = true
    if let version, let state = record(of: session)?.states[version] {
      for number in order.numbers where !Bytes(state).contains(number) {
        scheduler.fail("1: #\(exchange.number) is told of \(number), in a State without it")
      }
    }
    return .done
  }

  /// All answers to one key have to be the same.
  private func keep(
    _ response: HTTPResponse,
    of order: Order,
    _ exchange: Exchange
  ) {
    let answer = Order.Answer(
      status: response.status,
      body: response.bytes,
      tag: response.headers["ETag"],
      applied: response.headers["Preference-Applied"]
    )
    if let first = order.answer {
      if first != answer {
        scheduler.fail("2: #\(exchange.number) is answered differently from the first with its key")
      }
    } else if response.status != 202 {
      // Until Inputs are taken up, 202 binds no key, even where it is repeated.
      order.answer = answer
    }
  }

  private func problem(_ response: HTTPResponse, to exchange: Exchange) -> Exchange.Verdict {
    let name = response.problem
    switch (response.status, name) {
    case (412, _), (429, _), (507, _), (503, "store-unreachable"):
      if response.status == 412, case .take(let order) = exchange.purpose {
        let version = snapshot(in: response, to: exchange, of: order.session)
        expect(version, notBelow: exchange.floor, exchange)
      }
      return .refused
    case (503, "store-in-doubt"):
      if case .take(let order) = exchange.purpose { order.isInDoubt = true }
      return .unknown
    case (503, "draining"): return .refused
    case (410, _):
      for session in exchange.purpose.sessions {
        if record(of: session)?.end == nil {
          scheduler.fail("\(session.id.redacted) is said to be over, and stands in the store")
        }
        session.isOver = true
      }
      return .over
    default:
      scheduler.fail("#\(exchange.number) is answered \(response.status) \(response.text)")
      return .unknown
    }
  }

  // MARK: The inside

  /// An effect of a number's Input begins: what led to it has to be stored.
  func effectBegan(for number: Int) {
    guard let order = world.orders.first(where: { $0.numbers.contains(number) }),
      let record = record(of: order.session), let state = record.states[record.version]
    else { return scheduler.fail("1: an effect of \(number) begins, of which nothing is stored") }
    if !Bytes(state).contains(number) {
      scheduler.fail("1: an effect of \(number) begins before the State that led to it is stored")
    }
  }

  /// Nothing happens any more until time goes on: what is over is gone.
  func atRest() {
    guard let service = world.service else { return }
    let opening = world.exchanges.values.filter {
      if case .create = $0.purpose { true } else { false }
    }
    let most = service.host.awake + opening.count
    if service.probes.alive > most {
      scheduler.fail("7: \(service.probes.alive) view models live in \(most) sessions")
    }
  }
}

extension Exchange.Purpose {
  fileprivate var sessions: [SessionRecord] {
    if case .follow(let sessions) = self { sessions } else { session.map { [$0] } ?? [] }
  }
}

extension HTTPResponse {
  /// The last part of a problem's type.
  fileprivate var problem: String {
    let type = text.split(separator: "\"", maxSplits: 4).dropFirst(3).first ?? ""
    return String(type.split(separator: "/").last ?? "")
  }
}
