/// A cell of the sheet: a column from A to Z, a row from 0 to 99.
package struct Cell: Codable, Hashable, Comparable, Sendable {
  package static let columns = (UInt8(ascii: "A")...UInt8(ascii: "Z")).map {
    String(UnicodeScalar($0))
  }
  package static let rows = 0...99

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

  package static func < (one: Cell, other: Cell) -> Bool {
    (one.row, one.column) < (other.row, other.column)
  }
}

/// The value of a cell.
package enum Value: Equatable, Sendable {
  case empty, number(Double), text(String)
  /// An error: a short name, a colon, and a sentence.
  case error(String)
}

/// A formula without its `=`.
indirect enum Formula: Equatable {
  case number(Double), cell(Cell), cells([Cell])
  case operation(Character, Formula, Formula)
  case call(String, [Formula])

  static let functions: [String: @Sendable ([Double]) -> Double] = [
    "SUM": { $0.reduce(0, +) },
    "PRODUCT": { $0.reduce(1, *) },
    "AVERAGE": { $0.reduce(0, +) / Double($0.count) },
    "MIN": { $0.min() ?? 0 },
    "MAX": { $0.max() ?? 0 },
    "COUNT": { Double($0.count) },
  ]

  /// The cells that the formula reads.
  var references: Set<Cell> {
    switch self {
    case .number: []
    case .cell(let cell): [cell]
    case .cells(let cells): Set(cells)
    case .operation(_, let one, let other): one.references.union(other.references)
    case .call(_, let arguments): arguments.reduce(into: []) { $0.formUnion($1.references) }
    }
  }

  func value(_ read: (_ cell: Cell) -> Value) throws(FormulaError) -> Double {
    switch self {
    case .number(let number): return number
    case .cell(let cell):
      switch read(cell) {
      case .empty: return 0
      case .number(let number): return number
      case .text: throw FormulaError("#VALUE: \(cell.name) is no number")
      case .error: throw FormulaError("#REF: \(cell.name) has an error")
      }
    case .cells: throw FormulaError("#VALUE: a range belongs into a function")
    case .operation(let sign, let one, let other):
      let (one, other) = (try one.value(read), try other.value(read))
      switch sign {
      case "+": return one + other
      case "-": return one - other
      case "*": return one * other
      default:
        guard other != 0 else { throw FormulaError("#DIV/0: a division by 0") }
        return one / other
      }
    case .call(let name, let arguments):
      var numbers: [Double] = []
      for argument in arguments {
        guard case .cells(let cells) = argument else {
          numbers.append(try argument.value(read))
          continue
        }
        // Of a range, empty cells and texts do not count.
        for cell in cells {
          switch read(cell) {
          case .number(let number): numbers.append(number)
          case .error: throw FormulaError("#REF: \(cell.name) has an error")
          case .empty, .text: continue
          }
        }
      }
      if name == "AVERAGE" && numbers.isEmpty {
        throw FormulaError("#DIV/0: an average of nothing")
      }
      return Formula.functions[name]?(numbers) ?? 0
    }
  }
}

/// A formula that cannot be read or has no value.
struct FormulaError: Error {
  let text: String

  init(_ text: String) { self.text = text }
}
