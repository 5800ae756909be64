/// The value of a cell.
package enum Value: Equatable, Sendable {
  case empty, number(Double), text(String)
  /// An error: a short name, a colon, and a sentence.
  case error(String)
}

/// A formula without its `=`.
indirect enum Formula: Equatable, Sendable {
  case number(Double), cell(Int), cells(CellRange)
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

  /// The places of the cells that the formula reads.
  var references: Set<Int> {
    var references: Set<Int> = []
    addReferences(to: &references)
    return references
  }

  private func addReferences(to references: inout Set<Int>) {
    switch self {
    case .number: break
    case .cell(let cell): references.insert(cell)
    case .cells(let cells): references.formUnion(cells.indices)
    case .operation(_, let one, let other):
      one.addReferences(to: &references)
      other.addReferences(to: &references)
    case .call(_, let arguments): for one in arguments { one.addReferences(to: &references) }
    }
  }

  /// The number of steps that an evaluation takes: the parts of the formula, and the cells that it reads.
  var steps: Int {
    switch self {
    case .number, .cell: 1
    case .cells(let cells): cells.count
    case .operation(_, let one, let other): 1 + one.steps + other.steps
    case .call(_, let arguments): arguments.reduce(1) { $0 + $1.steps }
    }
  }

  /// Evaluates the formula, given the values of all cells.
  func value(_ values: [Value]) throws(FormulaError) -> Double {
    switch self {
    case .number(let number): return number
    case .cell(let cell):
      switch values[cell] {
      case .empty: return 0
      case .number(let number): return number
      case .text: throw FormulaError("#VALUE: \(Cell(index: cell).name) is no number")
      case .error: throw FormulaError("#REF: \(Cell(index: cell).name) has an error")
      }
    case .cells: throw FormulaError("#VALUE: a range belongs into a function")
    case .operation(let sign, let one, let other):
      let (one, other) = (try one.value(values), try other.value(values))
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
          numbers.append(try argument.value(values))
          continue
        }
        // Of a range, empty cells and texts do not count.
        for cell in cells.indices {
          switch values[cell] {
          case .number(let number): numbers.append(number)
          case .error: throw FormulaError("#REF: \(Cell(index: cell).name) has an error")
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
