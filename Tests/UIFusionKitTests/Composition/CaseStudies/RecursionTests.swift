import Testing
import UIFusionKit
import UIFusionTesting

/// A folder of folders, as deep as the user likes.
private struct Folder: ReducerViewModel {
  indirect enum Action: Equatable, Sendable {
    case add, rename(String), renameSoon(String), remove
    case rows(id: Int, action: Action), removed(id: Int)
  }
  struct State: Equatable, Sendable, Identifiable {
    let id: Int
    var name = ""
    var rows: [State] = []
  }

  var state = State(id: 0)
  let rows: Children<Folder, Int, Folder>

  init() {
    rows = Children(\.rows, Action.rows, dismissed: Action.removed) { Folder() }
  }

  func transform(_ input: Action) -> [Action] { [input] }

  func reduce(state: inout State, action: Action) -> [AsyncEffect<Action>] {
    switch action {
    case .add: state.rows.append(State(id: (state.rows.last?.id ?? 0) + 1))
    case .rename(let name): state.name = name
    case .renameSoon(let name): return [.sleepThen(for: .seconds(1), action: .rename(name))]
    case .remove: return [.dismiss]
    case .rows(let id, let action): return rows[id].reduce(&state, action)
    case .removed(let id): state.rows.removeAll { $0.id == id }
    }
    return []
  }
}

struct `TCA's recursion` {
  private let store = AsyncTestStore { _ in Folder() }

  private func grow() async {
    await store.send(.add) { $0.rows = [Folder.State(id: 1)] }
    await store.send(.rows(id: 1, action: .add)) { $0.rows[0].rows = [Folder.State(id: 1)] }
  }

  @Test func `reaches a nested row`() async {
    await grow()
    await store.send(.rows(id: 1, action: .rows(id: 1, action: .rename("deep")))) {
      $0.rows[0].rows[0].name = "deep"
    }
    await store.finish()
  }

  @Test func `removes a row that asks for it from its own parent`() async {
    await grow()
    await store.send(.rows(id: 1, action: .rows(id: 1, action: .remove)))
    await store.receive(.rows(id: 1, action: .removed(id: 1))) { $0.rows[0].rows = [] }
    await store.finish()
  }

  @Test func `cancels the effects of all rows below a removed row`() async {
    await grow()
    await store.send(.rows(id: 1, action: .rows(id: 1, action: .renameSoon("late"))))
    await store.send(.rows(id: 1, action: .renameSoon("later")))
    await store.send(.rows(id: 1, action: .remove))
    await store.receive(.removed(id: 1)) { $0.rows = [] }
    await store.advance(by: .seconds(2))
    await store.finish()
  }
}
