import Synchronization
import UIFusionKit

/// A view model whose rows are children, each with a count and a timer.
struct Rows: ReducerViewModel {
  enum Input: Codable, Sendable { case rows(id: Int, input: Row.Input), add(Int), rename(String) }
  enum Action: Codable, Equatable, Sendable {
    case rows(id: Int, action: Row.Action)
    case add(Int), rename(String)
  }
  struct State: Codable, Equatable, Sendable {
    var title = "rows"
    var rows: IdentifiedArray<Row.State>
    var isNew = true
  }

  /// The number of rows encoded so far.
  static let encoded = Atomic(0)

  var state: State
  let rows: Children<Rows, Int, Row>

  init(_ count: Int) {
    state = State(rows: IdentifiedArray((0..<count).map { Row.State(id: $0) }))
    rows = Children(\.rows, Action.rows) { Row() }
  }

  func started() -> [Action] { rows.started(in: state) }
  func restored(_ interrupted: Interrupted) -> [Action] { rows.restored(interrupted, in: state) }

  func transform(_ input: Input) -> [Action] {
    switch input {
    case .rows(let id, let input): rows[id].transform(input, in: state)
    case .add(let id): [.add(id)]
    case .rename(let title): [.rename(title)]
    }
  }

  func reduce(state: inout State, action: Action) -> [AsyncEffect<Action>] {
    switch action {
    case .rows(let id, let action): return rows[id].reduce(&state, action)
    case .add(let id): state.rows[id: id] = Row.State(id: id)
    case .rename(let title): (state.title, state.isNew) = (title, false)
    }
    return []
  }
}

struct Row: ReducerViewModel {
  enum Input: Codable, Sendable { case count, stop }
  enum Action: Codable, Equatable, Sendable { case wait, count, stop }
  struct State: Codable, Equatable, Sendable, Identifiable {
    let id: Int
    var title = "something that is to be done"
    var count = 100

    init(id: Int) { self.id = id }

    private enum CodingKeys: CodingKey { case id, title, count }

    func encode(to encoder: any Encoder) throws {
      Rows.encoded.add(1, ordering: .relaxed)
      var object = encoder.container(keyedBy: CodingKeys.self)
      try object.encode(id, forKey: .id)
      try object.encode(title, forKey: .title)
      try object.encode(count, forKey: .count)
    }
  }

  var state = State(id: 0)

  func started() -> [Action] { [.wait] }
  func restored(_ interrupted: Interrupted) -> [Action] {
    interrupted.contains("wait") ? [.wait] : []
  }
  func transform(_ input: Input) -> [Action] { input == .count ? [.count] : [.stop] }

  func reduce(state: inout State, action: Action) -> [AsyncEffect<Action>] {
    switch action {
    case .count: state.count += 1
    case .wait: return [.timer(id: "wait", every: .seconds(3600), action: .count)]
    case .stop: return [.cancel(id: "wait")]
    }
    return []
  }
}
