import FusionStrictJSON
import Synchronization
import Testing
import UIFusionKit
import UIFusionServer
import UIFusionTesting
import UIFusionTools

// What follows is the Swift and the JSON of Hosting.md.

struct Gold: ReducerViewModel {
  enum Input: Codable, Sendable { case ask }
  enum Action: Equatable, Sendable { case ask, show(Int) }
  struct State: Codable, Equatable, Sendable { var price: Int? }

  var state = State()
  /// Requests a price from another service.
  let prices: @Sendable (_ path: String, _ headers: [String: String]) async throws -> Int

  func transform(_ input: Input) -> [Action] { [.ask] }

  func reduce(state: inout State, action: Action) -> [AsyncEffect<Action>] {
    switch action {
    case .ask:
      return [
        .runAction { [prices] in
          var headers: [String: String] = [:]
          headers["traceparent"] = TraceContext.current?.traceparent
          return .show(try await prices("/prices/gold", headers))
        }
      ]
    case .show(let price):
      state.price = price
      return []
    }
  }
}

struct `A trace` {
  @Test func `is passed on to the service that an effect calls`() async {
    let asked = Mutex<[String?]>([])
    let store = AsyncTestStore { _ in
      Gold { _, headers in
        asked.withLock { $0.append(headers["traceparent"]) }
        return 1_900
      }
    }
    let trace = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
    await TraceContext.$current.withValue(TraceContext(traceparent: trace)) {
      await store.send(.ask)
    }
    await store.receive(.show(1_900)) { $0.price = 1_900 }
    await store.send(.ask)
    await store.receive(.show(1_900))
    await store.finish()
    #expect(asked.withLock { $0 } == [trace, nil])
  }

  @Test func `is passed on from Inputs in process`() async throws {
    let asked = Mutex<[String?]>([])
    let store = Store { _ in
      Gold { _, headers in
        asked.withLock { $0.append(headers["traceparent"]) }
        return 1_900
      }
    }
    let trace = TraceContext(traceparent: "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01")
    let sent = TraceContext.$current.withValue(trace) { store.send(.ask) }
    await sent.settled()
    await store.send(.ask).settled()
    #expect(asked.withLock { $0 } == [trace?.traceparent, nil])
  }
}

struct Countdown: ReducerViewModel {
  enum Input: Codable, Sendable {
    case start
    case setDuration(Int)
    case announce(text: String, isLoud: Bool)
    case unlock(Secret<String>)
  }
  enum Action: Equatable, Sendable { case start, tick, set(Int), announce(String), unlock(String) }
  enum EffectName { case timer }
  struct State: Codable, Equatable, Sendable {
    var remaining: Int
    var isRunning = false
    var note: String?
    @Pulse var message: String?
    @Secret var code = ""
  }

  struct TooLong: Error {}

  var state: State

  struct Parameters: Decodable, Sendable { var seconds: Int? }

  init(_ parameters: Parameters) throws {
    let seconds = parameters.seconds ?? 10
    guard seconds <= 3600 else { throw TooLong() }
    state = State(remaining: seconds)
  }

  func restored(_ interrupted: Interrupted) -> [Action] {
    state.isRunning ? [.start] : []
  }

  static var droppedMembers: [String] { ["color", "cards.*.note"] }

  static var renamedMembers: [String: String] { ["title": "name", "cards.*.hint": "text"] }

  static let stateFormat = 2

  static func migrate(_ stored: StoredState, from format: Int) throws -> State {
    struct Old: Decodable {
      var minutes: Int
      var isRunning: Bool
    }
    let old = try stored.decode(Old.self)
    return State(remaining: old.minutes * 60, isRunning: old.isRunning)
  }

  func transform(_ input: Input) -> [Action] {
    switch input {
    case .start: [.start]
    case .setDuration(let seconds): [.set(seconds)]
    case .announce(let text, let isLoud): [.announce(isLoud ? text.uppercased() : text)]
    case .unlock(let code): [.unlock(code.wrappedValue)]
    }
  }

  func reduce(state: inout State, action: Action) -> [AsyncEffect<Action>] {
    switch action {
    case .start:
      state.isRunning = true
      return [.timer(id: EffectName.timer, every: .seconds(1), action: .tick)]
    case .tick:
      state.remaining = max(0, state.remaining - 1)
    case .set(let seconds):
      state.remaining = seconds
      state.isRunning = false
      return [.cancel(id: EffectName.timer)]
    case .announce(let text):
      state.message = text
    case .unlock(let code):
      state.code = code
    }
    return []
  }
}

struct Guest: ViewModelProtocol, SessionEnding {
  struct State: Codable, Equatable, Sendable { var name = "Ada" }

  static let left = Topic<String>("left")

  var state = State()
  let topics: Topics

  func transform(_ input: String) -> [String] { [input] }
  mutating func perform(_ action: String) { state.name = action }

  func sessionEnded() { topics.publish(state.name, to: Self.left) }
}

/// Is never called, since it would end the process.
private func serve() async {
  let room = Room()
  var catalog = ViewModelCatalog()
  catalog.host("counter", summary: "Counts") { AsyncCounter(time: $0.time) }
  catalog.host("dice", summary: "Rolls") { Dice(time: $0.time, random: $0.random) }
  catalog.host("board", summary: "Shows a room's messages") { _ in Board(room: room) }
  catalog.host("countdown", summary: "Ticks", parameters: Countdown.Parameters.self) { given, _ in
    try Countdown(given)
  }
  await UIFusionCommand.main(catalog)
}

private func createLobby(atTheStartOf catalog: inout ViewModelCatalog) {
  catalog.atStart { sessions in
    _ = try await sessions.create("board", name: "lobby", shared: true)
  }
}

/// Is never called, since it would end the process.
private func serveWithTools(_ catalog: ViewModelCatalog) async {
  await UIFusionCommand.main(catalog, tools: .all)
}

struct `The guide on hosting` {
  @Test func `shows State as JSON`() throws {
    var state = Countdown.State(remaining: 10)
    state.message = "Ready"
    state.code = "1234"
    let text = """
      {"remaining":10,"isRunning":false,"note":null,"message":{"value":"Ready","pulse":1},"code":"••••"}
      """
    #expect(String(decoding: try StrictJSON.encode(state), as: UTF8.self) == text)
  }

  @Test func `shows Inputs as JSON`() throws {
    let texts = """
      "start"
      {"start":{}}
      {"setDuration":30}
      {"setDuration":{"_0":30}}
      {"announce":{"text":"Go","isLoud":true}}
      {"unlock":"1234"}
      """
    let inputs = try texts.split(separator: "\n").map {
      try JSONDocument(Array($0.utf8)).root.decodeInput(Countdown.Input.self)
    }
    let actions = try inputs.flatMap { try Countdown(.init()).transform($0) }
    #expect(
      actions == [.start, .start, .set(30), .set(30), .announce("GO"), .unlock("1234")]
    )
  }

  @Test func `shows how to start and stop a service`() async throws {
    var catalog = ViewModelCatalog()
    catalog.host("countdown", summary: "Ticks", parameters: Countdown.Parameters.self) { given, _ in
      try Countdown(given)
    }
    var configuration = Configuration()
    configuration.port = 0
    configuration.data = .memory
    configuration.logLevel = .error
    configuration.sessionTTL = .seconds(600)
    let service = try Service(catalog, configuration)
    print("listening on \(service.url)")
    func status(_ parameters: String) async throws -> Int {
      let body = #"{"viewModel":"countdown","parameters":"# + parameters + "}"
      return try await service.ask("POST /sessions", body: body).status
    }
    #expect(try await status(#"{"seconds":3}"#) == 201)
    #expect(try await status(#"{"seconds":4000}"#) == 422)
    #expect(try await status(#"{"minutes":1}"#) == 422)
    await service.stop()
  }

  @Test func `shows how a restored view model continues`() async throws {
    let store = try AsyncTestStore(
      restoring: Countdown.State(remaining: 5, isRunning: true)
    ) { _ in try Countdown(.init()) }
    await store.advance(by: .seconds(1))
    await store.receive(.tick) { $0.remaining = 4 }
    await store.send(.setDuration(5)) {
      $0.remaining = 5
      $0.isRunning = false
    }
    await store.finish()
  }

  @Test func `shows how to migrate an older State`() throws {
    let stored = try StoredState(json: #"{"minutes":2,"isRunning":true}"#)
    #expect(
      try Countdown.migrate(stored, from: 1) == Countdown.State(remaining: 120, isRunning: true)
    )
    // Exactly the members of the older State are required.
    for text in [#"{"minutes":2}"#, #"{"minutes":2,"isRunning":true,"x":1}"#] {
      let stored = try StoredState(json: text)
      #expect(throws: (any Error).self) { try Countdown.migrate(stored, from: 1) }
    }
  }

  @Test func `shows how to tell others of a session's end`() async {
    let store = AsyncTestStore { Guest(topics: $0.topics) }
    var left = store.topics.subscribe(to: Guest.left).makeAsyncIterator()
    await store.send("Bob") { $0.name = "Bob" }
    await store.finish()
    #expect(await left.next() == "Bob")
  }

  @Test func `shows the same view model in process`() async throws {
    let store = try Store { _ in try Countdown(.init(seconds: 3)) }
    await store.send(.setDuration(5)).settled()
    for await state in store.states {
      print(state.remaining)
      break
    }
    #expect(store.state.remaining == 5)
  }
}
