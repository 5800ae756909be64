/// A cell of the sheet: a column from A to Z, a row from 0 to 99.
package struct Cell: Codable, Hashable, Comparable, Sendable {
  package static let columns = (UInt8(ascii: "A")...UInt8(ascii: "Z")).map {
    String(UnicodeScalar($0))
  }
  package static let rows = 0...99
  static let count = columns.count * rows.count

  package let column: String
  package let row: Int

  package init?(column: String, row: Int) {
    guard Cell.columns.contains(column), Cell.rows.contains(row) else { return nil }
    self.column = column
    self.row = row
  }

  /// Reads a name such as B12.
  package init?(_ name: some StringProtocol) {
    guard let row = Int(name.dropFirst()), name.dropFirst() == "\(row)" else { return nil }
    self.init(column: name.prefix(1).uppercased(), row: row)
  }

  package var name: String { column + "\(row)" }

  /// The place of the cell among all, row by row.
  var index: Int { row * Cell.columns.count + Int(column.utf8.first ?? 65) - 65 }

  init(index: Int) {
    (column, row) = (Cell.columns[index % Cell.columns.count], index / Cell.columns.count)
  }

  package static func < (one: Cell, other: Cell) -> Bool {
    (one.row, one.column) < (other.row, other.column)
  }
}

/// The cells between two corners.
struct CellRange: Equatable, Sendable {
  let columns: ClosedRange<Int>
  let rows: ClosedRange<Int>

  init(_ one: Cell, _ other: Cell) {
    let (width, a, b) = (Cell.columns.count, one.index, other.index)
    columns = min(a % width, b % width)...max(a % width, b % width)
    rows = min(one.row, other.row)...max(one.row, other.row)
  }

  var count: Int { columns.count * rows.count }

  /// The places of the cells, row by row.
  var indices: some Sequence<Int> {
    rows.lazy.flatMap { [columns] row in columns.lazy.map { row * Cell.columns.count + $0 } }
  }
}
