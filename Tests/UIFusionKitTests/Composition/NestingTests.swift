import Synchronization
import Testing
import UIFusionKit
import UIFusionTesting

/// A street of houses: children with children of their own.
private struct Street: ReducerViewModel {
  enum Input: Sendable { case house(id: Int, input: House.Input), evict(Int) }
  enum Action: Equatable, Sendable { case house(id: Int, action: House.Action), evict(Int) }
  struct State: Equatable, Sendable {
    var houses: IdentifiedArray<House.State> = [House.State(id: 1), House.State(id: 2)]
  }

  var state = State()
  let houses: Children<Street, Int, House>

  init(time: any TimeSource) {
    houses = Children(\.houses, Action.house) { House(time: time) }
  }

  func transform(_ input: Input) -> [Action] {
    switch input {
    case .house(let id, let input): houses[id].transform(input, in: state)
    case .evict(let id): [.evict(id)]
    }
  }

  func reduce(state: inout State, action: Action) -> [AsyncEffect<Action>] {
    switch action {
    case .house(let id, let action): return houses[id].reduce(&state, action)
    case .evict(let id): state.houses[id: id]?.guest = nil
    }
    return []
  }
}

struct `Children of children` {
  private let store = AsyncTestStore { Street(time: $0.time) }

  @Test func `run independently, and are removed by their own parent when they ask for it`() async {
    for id in 1...2 {
      await store.send(.house(id: id, input: .invite(5))) {
        $0.houses[id: id]?.guest = Room.State(id: 5)
      }
    }
    await store.send(.house(id: 1, input: .guest(.close)))
    await store.receive(.house(id: 1, action: .invite(nil))) { $0.houses[id: 1]?.guest = nil }
    await store.advance(by: .seconds(2))
    await store.receive(.house(id: 2, action: .guest(.loaded))) {
      $0.houses[id: 2]?.guest?.text = "loaded"
    }
    await store.finish()
  }

  @Test func `end with their effects, whichever parent removes them`() async {
    for id in 1...2 {
      await store.send(.house(id: id, input: .invite(5))) {
        $0.houses[id: id]?.guest = Room.State(id: 5)
      }
    }
    await store.send(.evict(1)) { $0.houses[id: 1]?.guest = nil }
    await store.advance(by: .seconds(2))
    await store.receive(.house(id: 2, action: .guest(.loaded))) {
      $0.houses[id: 2]?.guest?.text = "loaded"
    }
    await store.finish()
  }

  @Test func `leave an error that they do not handle to the nearest parent that does`() async {
    await store.send(.house(id: 1, input: .hall(.fail)))
    await store.receiveError { $0.houses[id: 1]?.hall.text = "failed: 0" }
    await store.finish()
  }
}

/// A hundred levels of State, each of ten thousand bytes.
private struct Level: ReducerViewModel {
  enum Input: Sendable { case count }
  indirect enum Action: Equatable, Sendable { case count, counted, inner(id: Int, action: Action) }
  struct Pad: Equatable, Sendable { var words = (0..<20).map { _ in SIMD64<Int>() } }
  struct State: Equatable, Sendable, Identifiable {
    let id: Int
    var first = SIMD64<Int>(), second = SIMD64<Int>(), third = SIMD64<Int>()
    var pad = Pad()
    var counted = 0
    var inner: [State] = []
  }

  var state = State(id: 100)
  let inner: Children<Level, Int, Level>

  init() {
    inner = Children(\.inner, Action.inner) { Level() }
    for id in 0..<100 { state = State(id: id, inner: id == 0 ? [] : [state]) }
  }

  func transform(_ input: Input) -> [Action] { [.count] }

  func reduce(state: inout State, action: Action) -> [AsyncEffect<Action>] {
    switch action {
    case .count:
      guard let id = state.inner.first?.id else { return [.runAction { .counted }] }
      return inner[id].reduce(&state, .count)
    case .counted: state.counted += 1
    case .inner(let id, let action): return inner[id].reduce(&state, action)
    }
    return []
  }
}

struct `A large State of a hundred levels` {
  @Test func `fits on the stack of an effect`() async {
    let store = Store { _ in Level() }
    await store.send(.count).settled()
    var level = store.state
    while let inner = level.inner.first { level = inner }
    #expect(level.counted == 1)
  }
}

/// Rows that count how often they are compared.
private struct Table: ReducerViewModel {
  struct Row: ReducerViewModel {
    enum Action: Equatable, Sendable { case count }
    struct State: Equatable, Sendable, Identifiable {
      let id: Int
      var count = 0

      static func == (a: State, b: State) -> Bool {
        Table.comparisons.add(1, ordering: .relaxed)
        return a.id == b.id && a.count == b.count
      }
    }

    var state = State(id: 0)
    func transform(_ input: Action) -> [Action] { [input] }
    func reduce(state: inout State, action: Action) -> [AsyncEffect<Action>] {
      state.count += 1
      return [.timer(id: "timer", every: .seconds(3600), action: .count)]
    }
  }
  enum Action: Equatable, Sendable { case rows(id: Int, action: Row.Action) }
  struct State: Equatable, Sendable { var rows: IdentifiedArray<Row.State> }

  static let comparisons = Atomic(0)

  var state: State
  let rows = Children<Table, Int, Row>(\.rows, Action.rows) { Row() }

  init(count: Int) {
    state = State(rows: IdentifiedArray((0..<count).map { Row.State(id: $0) }))
  }

  func transform(_ input: Action) -> [Action] { [input] }

  func reduce(state: inout State, action: Action) -> [AsyncEffect<Action>] {
    switch action {
    case .rows(let id, let action): rows[id].reduce(&state, action)
    }
  }
}

struct `Ten thousand children` {
  @Test func `are not all compared for one child's action`() {
    let store = Store { _ in Table(count: 10_000) }
    for id in 0..<10_000 { store.send(.rows(id: id, action: .count)) }
    #expect(store.state.rows.allSatisfy { $0.count == 1 })
    let before = Table.comparisons.load(ordering: .relaxed)
    store.send(.rows(id: 5_000, action: .count))
    #expect(Table.comparisons.load(ordering: .relaxed) - before <= 32)
    #expect(store.state.rows[id: 5_000]?.count == 2)
  }
}
