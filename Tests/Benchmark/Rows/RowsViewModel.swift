import UIFusionKit

/// The list of js-framework-benchmark, whose rows are created, changed and removed by the thousand.
struct RowsViewModel: ViewModelProtocol {
  var state = State()

  /// The State that clients see.
  struct State: Codable, Equatable, Sendable {
    var rows: [Row] = []
    var selectedID: Int?
    /// The number of rows ever created, which is the last row's id.
    var made = 0
  }

  /// A row of the table.
  struct Row: Codable, Equatable, Sendable {
    let id: Int
    var label: String
  }

  /// The Inputs that clients send.
  enum Input: Codable, Sendable {
    case create(Int), append(Int), update, swap, clear
    case select(Int), remove(Int)
  }

  func transform(_ input: Input) -> [Input] { [input] }

  mutating func perform(_ action: Input) {
    switch action {
    case .create(let count):
      state.selectedID = nil
      state.rows = newRows(count)
    case .append(let count):
      state.rows += newRows(count)
    case .update:
      for index in stride(from: 0, to: state.rows.count, by: 10) {
        state.rows[index].label += " !!!"
      }
    case .swap:
      if state.rows.count > 998 { state.rows.swapAt(1, 998) }
    case .clear:
      state.selectedID = nil
      state.rows = []
    case .select(let id):
      state.selectedID = id
    case .remove(let id):
      state.rows.removeAll { $0.id == id }
    }
  }

  private mutating func newRows(_ count: Int) -> [Row] {
    let first = state.made + 1
    state.made += max(0, min(count, 10_000))
    return (first..<state.made + 1).map { Row(id: $0, label: label(of: $0)) }
  }
}

private let adjectives = ["calm", "clever", "dusty", "early", "heavy", "narrow", "quiet", "rusty"]
private let colours = ["amber", "black", "green", "indigo", "ochre", "silver", "white"]
private let nouns = [
  "anchor", "basket", "candle", "ladder", "pillow", "saddle", "teapot", "violin", "window",
]

/// Returns the label for an id, as `Pages/peers/rows.py` does, so that all contestants show the same.
private func label(of id: Int) -> String {
  "\(adjectives[id % 8]) \(colours[id % 7]) \(nouns[id % 9])"
}
