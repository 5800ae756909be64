import UIFusionKit

/// A row, which is one of many children.
struct CountedRow: ReducerViewModel {
  enum Input: Codable, Sendable { case count }
  enum Action: Codable, Equatable, Sendable { case count, wait }
  struct State: Codable, Equatable, Sendable, Identifiable {
    let id: String
    var title = "something that is to be done"
    var count = 100_000
  }

  var state = State(id: "")
  let isWaiting: Bool

  func started() -> [Action] { isWaiting ? [.wait] : [] }
  func transform(_ input: Input) -> [Action] { [.count] }

  func reduce(state: inout State, action: Action) -> [AsyncEffect<Action>] {
    switch action {
    case .count: state.count += 1
    case .wait: return [.timer(id: "wait", every: .seconds(86_400), action: .count)]
    }
    return []
  }
}

/// Rows whose effects may run.
struct ManyRows: ReducerViewModel {
  enum Input: Codable, Sendable { case rows(id: String, input: CountedRow.Input) }
  enum Action: Codable, Equatable, Sendable { case rows(id: String, action: CountedRow.Action) }
  struct State: Codable, Equatable, Sendable {
    var rows: IdentifiedArray<CountedRow.State>
    var title = "rows"
  }

  var state: State
  let rows: Children<ManyRows, String, CountedRow>

  init(_ count: Int, isWaiting: Bool) {
    state = State(rows: IdentifiedArray((0..<count).map { CountedRow.State(id: "row-\($0)") }))
    rows = Children(\.rows, Action.rows) { CountedRow(isWaiting: isWaiting) }
  }

  func started() -> [Action] { rows.started(in: state) }

  func transform(_ input: Input) -> [Action] {
    switch input {
    case .rows(let id, let input): rows[id].transform(input, in: state)
    }
  }

  func reduce(state: inout State, action: Action) -> [AsyncEffect<Action>] {
    switch action {
    case .rows(let id, let action): rows[id].reduce(&state, action)
    }
  }
}
