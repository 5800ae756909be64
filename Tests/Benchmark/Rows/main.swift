import UIFusionKit
import UIFusionServer
import UIFusionTools

/// A row: one of many children.
struct Row: ReducerViewModel {
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

/// Rows, each of which may have an effect that runs.
struct Rows: ReducerViewModel {
  enum Input: Codable, Sendable { case rows(id: String, input: Row.Input) }
  enum Action: Codable, Equatable, Sendable { case rows(id: String, action: Row.Action) }
  struct State: Codable, Equatable, Sendable {
    var rows: IdentifiedArray<Row.State>
    var title = "rows"
  }

  var state: State
  let rows: Children<Rows, String, Row>

  init(_ count: Int, isWaiting: Bool) {
    state = State(rows: IdentifiedArray((0..<count).map { Row.State(id: "row-\($0)") }))
    rows = Children(\.rows, Action.rows) { Row(isWaiting: isWaiting) }
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

var catalog = ViewModelCatalog()
for count in [10, 100, 1_000, 10_000] {
  catalog.host("rows-\(count)", summary: "\(count) rows") { _ in Rows(count, isWaiting: false) }
  catalog.host("waiting-\(count)", summary: "\(count) rows with an effect each") { _ in
    Rows(count, isWaiting: true)
  }
}
await UIFusionCommand.main(catalog, tools: .all)
