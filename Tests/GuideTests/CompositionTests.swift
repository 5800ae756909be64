import FusionRawHTTP
import FusionStrictJSON
import Testing
import UIFusionKit
import UIFusionServer
import UIFusionTesting

// What follows is the Swift of Composition.md.

struct Lap: ReducerViewModel {
  enum Input: Codable, Sendable { case start, remove }
  enum Action: Equatable, Sendable { case start, tick, remove }
  struct State: Codable, Equatable, Sendable, Identifiable {
    var id = 0
    var seconds = 0
  }
  enum EffectName { case clock }

  var state = State()

  func transform(_ input: Input) -> [Action] {
    switch input {
    case .start: [.start]
    case .remove: [.remove]
    }
  }

  func reduce(state: inout State, action: Action) -> [AsyncEffect<Action>] {
    switch action {
    case .start: return [.timer(id: EffectName.clock, every: .seconds(1), action: .tick)]
    case .tick: state.seconds += 1
    case .remove: return [.dismiss]
    }
    return []
  }
}

struct Training: ReducerViewModel {
  enum Input: Codable, Sendable {
    case total(Lap.Input), rest(Lap.Input), laps(id: Int, input: Lap.Input)
    case beginRest, addLap
  }
  enum Action: Equatable, Sendable {
    case total(Lap.Action), rest(Lap.Action), laps(id: Int, action: Lap.Action)
    case beginRest, endRest, addLap, removeLap(Int)
  }
  struct State: Codable, Equatable, Sendable {
    var total = Lap.State()
    var rest: Lap.State?
    var laps: IdentifiedArray<Lap.State> = []
  }

  var state = State()
  let total, rest: Child<Training, Lap>
  let laps: Children<Training, Int, Lap>

  init() {
    total = Child(\.total, Action.total) { Lap() }
    rest = Child(\.rest, Action.rest, dismissed: .endRest) { Lap() }
    laps = Children(\.laps, Action.laps, dismissed: Action.removeLap) { Lap() }
  }

  func transform(_ input: Input) -> [Action] {
    switch input {
    case .total(let input): total.transform(input, in: state)
    case .rest(let input): rest.transform(input, in: state)
    case .laps(let id, let input): laps[id].transform(input, in: state)
    case .beginRest: [.beginRest]
    case .addLap: [.addLap]
    }
  }

  func reduce(state: inout State, action: Action) -> [AsyncEffect<Action>] {
    switch action {
    case .total(let action): return total.reduce(&state, action)
    case .rest(let action): return rest.reduce(&state, action)
    case .laps(let id, let action): return laps[id].reduce(&state, action)
    case .beginRest: state.rest = Lap.State()
    case .endRest: state.rest = nil
    case .addLap:
      let id = (state.laps.last?.id ?? -1) + 1
      state.laps[id: id] = Lap.State(id: id)
    case .removeLap(let id): state.laps[id: id] = nil
    }
    return []
  }
}

enum Phase: Codable, Equatable, Sendable {
  case warmUp(Lap.State), run(Lap.State)

  var run: Lap.State? {
    get { if case .run(let state) = self { state } else { nil } }
    set { if let newValue { self = .run(newValue) } }
  }
}

struct Chapter: ReducerViewModel {
  enum Input: Codable, Sendable { case close }
  enum Action: Equatable, Sendable { case close }
  struct State: Codable, Equatable, Sendable, Addressed {
    var name: String
    var addressName: String { name }
  }

  var state = State(name: "")
  func transform(_ input: Input) -> [Action] { [.close] }
  func reduce(state: inout State, action: Action) -> [AsyncEffect<Action>] { [.dismiss] }
}

struct Handbook: ReducerViewModel {
  enum Input: Codable, Sendable {
    case chapters(id: Int, input: Chapter.Input), open(String), go(to: String)
  }
  enum Action: Equatable, Sendable {
    case chapters(id: Int, action: Chapter.Action), open(String), go(String), back(Int)
  }
  struct State: Codable, Equatable, Sendable {
    var chapters = ChildStack<Chapter.State>() { didSet { address = chapters.address } }
    private(set) var address = ""
  }

  var state = State()
  let names: Set = ["warm-up", "sprint", "rest"]
  let chapters: Children<Handbook, Int, Chapter>

  init() {
    chapters = Children(\.chapters, Action.chapters, dismissed: Action.back) { Chapter() }
  }

  func transform(_ input: Input) -> [Action] {
    switch input {
    case .chapters(let id, let input): chapters[id].transform(input, in: state)
    case .open(let name): [.open(name)]
    case .go(let address): [.go(address)]
    }
  }

  func reduce(state: inout State, action: Action) -> [AsyncEffect<Action>] {
    switch action {
    case .chapters(let id, let action): return chapters[id].reduce(&state, action)
    case .open(let name): state.chapters.push(Chapter.State(name: name))
    case .back(let id): state.chapters.pop(from: id)
    case .go(let address):
      state.chapters.go(to: address) { names.contains($0) ? Chapter.State(name: $0) : nil }
    }
    return []
  }
}

final class Transfer: AsyncViewModel {
  enum Input: Codable, Sendable { case mine(Account.Input), yours(Account.Input) }
  enum Action: Sendable { case mine(Account.Action), yours(Account.Action) }
  struct State: Codable, Equatable, Sendable { var mine, yours: Account.State }

  let mine = Account()
  let yours = Account()

  var state: State {
    get { State(mine: mine.state, yours: yours.state) }
    set { (mine.state, yours.state) = (newValue.mine, newValue.yours) }
  }

  func transform(_ input: Input) async -> [Action] {
    switch input {
    case .mine(let input): await mine.transform(input).map(Action.mine)
    case .yours(let input): await yours.transform(input).map(Action.yours)
    }
  }

  func perform(_ action: Action) async throws {
    switch action {
    case .mine(let action): try await mine.perform(action)
    case .yours(let action): try await yours.perform(action)
    }
  }

  func handleError(_ error: SendableError) async {}
}

// MARK: -

struct `The guide on composition` {
  @Test func `shows children that run independently, and are removed when they ask for it`() async {
    let store = AsyncTestStore { _ in Training() }
    await store.send(.addLap) { $0.laps = [Lap.State(id: 0)] }
    await store.send(.laps(id: 0, input: .start))
    await store.advance(by: .seconds(1))
    await store.receive(.laps(id: 0, action: .tick)) { $0.laps[id: 0]?.seconds = 1 }
    await store.send(.laps(id: 0, input: .remove))
    await store.receive(.removeLap(0)) { $0.laps = [] }
    await store.finish()
  }

  @Test func `shows an optional child that ends when it asks for it`() async {
    let store = AsyncTestStore { _ in Training() }
    await store.send(.beginRest) { $0.rest = Lap.State() }
    await store.send(.rest(.start))
    await store.send(.rest(.remove))
    await store.receive(.endRest) { $0.rest = nil }
    await store.finish()
  }

  @Test func `shows a child's Input within its parent's as JSON`() throws {
    let json = #"""
      {"laps":{"id":7,"input":"start"}}
      """#
    let input = try StrictJSON.decode(Training.Input.self, from: Array(json.utf8))
    guard case .laps(id: 7, input: .start) = input else {
      Issue.record("read as \(input)")
      return
    }
  }

  @Test func `shows a child's store for a view`() {
    let store = Store { _ in Training() }
    let total: Store<Lap> = store.scope(\.total, Training.Input.total)
    #expect(total.state == Lap.State())
  }

  @Test func `shows a stack that keeps its address in State, and follows an address`() async throws
  {
    var catalog = ViewModelCatalog()
    catalog.host("handbook", summary: "Chapters on top of each other") { _ in Handbook() }
    var configuration = Configuration()
    configuration.port = 0
    configuration.data = .memory
    configuration.logLevel = .error
    let service = try Service(catalog, configuration)
    let session = try await service.ask("POST /sessions", body: #"{"viewModel":"handbook"}"#)
    let path = try #require(session["Location"])
    func address(after input: String) async throws -> String {
      let answer = try await service.ask("POST \(path)/inputs", body: input).text
      return String(try #require(answer.firstMatch(of: /"address":"([^"]*)"/)).output.1)
    }
    #expect(try await address(after: #"{"open":"warm-up"}"#) == "warm-up")
    #expect(try await address(after: #"{"open":"sprint"}"#) == "warm-up/sprint")
    // Navigates back, and forward again.
    #expect(try await address(after: #"{"go":{"to":"warm-up"}}"#) == "warm-up")
    #expect(try await address(after: #"{"go":{"to":"warm-up/sprint"}}"#) == "warm-up/sprint")
    #expect(try await address(after: #"{"go":{"to":"rest/nowhere/sprint"}}"#) == "rest")
    #expect(try await address(after: #"{"chapters":{"id":4,"input":"close"}}"#).isEmpty)
    await service.stop()
  }

  @Test func `shows classes composed by computed State`() async {
    let store = Store { _ in Transfer() }
    await store.send(.mine(.deposit(3)), .yours(.deposit(4))).settled()
    #expect(store.state.mine.balance == 3 && store.state.yours.balance == 4)
  }

  @Test func `shows how to tell cases apart by computed members`() {
    var phase = Phase.run(Lap.State(id: 1))
    phase.run?.seconds = 5
    #expect(phase == .run(Lap.State(id: 1, seconds: 5)))
    #expect(Phase.warmUp(Lap.State()).run == nil)
  }
}
