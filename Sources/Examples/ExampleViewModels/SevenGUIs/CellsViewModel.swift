import UIFusionKit

/// The last of the 7GUIs, Cells: a spreadsheet (the synchronous pattern).
package struct CellsViewModel: ViewModelProtocol {
  package var state = State()

  package init() {}

  /// The state that clients see: the sheet, and the derived grid that a page shows.
  package struct State: Codable, Equatable, Sendable, MemberDeriving {
    package var sheet = Sheet()
    package var column = "A"
    package var row = 0

    /// The members that follow from the others.
    package struct Derived: Codable, Equatable, Sendable {
      package var columns: [String]
      /// The text of each cell, by row and column.
      package var rows: [[String: String]]
      /// The selected cell's entry, and what is wrong with it.
      package var entry: String
      package var problem: String?
    }

    package var derived: Derived {
      let empty = Dictionary(uniqueKeysWithValues: Cell.columns.map { ($0, "") })
      var rows = Cell.rows.map { _ in empty }
      for cell in sheet.formulas.keys.compactMap({ Cell($0) }) {
        rows[cell.row][cell.column] = shown(sheet.value(of: cell))
      }
      let selected = Cell(column: column, row: row)
      var problem: String?
      if let selected, case .error(let text) = sheet.value(of: selected) { problem = text }
      return Derived(
        columns: Cell.columns,
        rows: rows,
        entry: selected.flatMap { sheet.formulas[$0.name] } ?? "",
        problem: problem
      )
    }

    private func shown(_ value: Value) -> String {
      switch value {
      case .empty: ""
      case .number(let number): number.brief
      case .text(let text): text
      case .error(let text): String(text.prefix { $0 != ":" })
      }
    }
  }

  /// The inputs that clients send.
  package enum Input: Codable, Sendable {
    case select(column: String, row: Int)
    case move(columns: Int, rows: Int)
    case write(column: String, row: Int, entry: String)
  }

  /// The actions that inputs lead to.
  package enum Action: Codable, Sendable { case select(Cell), write(Cell, entry: String) }

  package func transform(_ input: Input) -> [Action] {
    switch input {
    case .select(let column, let row): Cell(column: column, row: row).map { [.select($0)] } ?? []
    case .move(let columns, let rows):
      selected(columns, rows).map { [.select($0)] } ?? []
    case .write(let column, let row, let entry):
      Cell(column: column, row: row).map { [.write($0, entry: entry.trimmed)] } ?? []
    }
  }

  package mutating func perform(_ action: Action) {
    switch action {
    case .select(let cell): (state.column, state.row) = (cell.column, cell.row)
    case .write(let cell, let entry): state.sheet.write(entry, to: cell)
    }
  }

  /// Returns the cell a number of steps away; nil beyond the edge.
  private func selected(_ columns: Int, _ rows: Int) -> Cell? {
    guard let index = Cell.columns.firstIndex(of: state.column),
      (-25...25).contains(columns), (-99...99).contains(rows),
      Cell.columns.indices.contains(index + columns)
    else { return nil }
    return Cell(column: Cell.columns[index + columns], row: state.row + rows)
  }
}
