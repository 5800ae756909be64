/// The formulas of a sheet, with the cells that each reads, and the values of all cells.
///
/// Follows from the sheet's entries and values: it is neither stored nor compared. A change of a cell takes time only
/// for the cells that depend on it, at most ``stepLimit`` steps.
struct SheetGraph: Sendable {
  /// The most steps in which all formulas together are evaluated.
  static let stepLimit = 20_000

  private struct Node: Sendable {
    let formula: Formula
    let references: Set<Int>
    let steps: Int
  }

  private var nodes: [Int: Node] = [:]
  /// The cells that read each cell.
  private var readers = [Set<Int>](repeating: [], count: Cell.count)
  private var steps = 0
  var values = [Value](repeating: .empty, count: Cell.count)

  /// Replaces the formula of a cell; nil removes it.
  ///
  /// - Throws: an error if the sheet's formulas would then take too many steps.
  mutating func set(_ formula: Formula?, of cell: Int) throws(FormulaError) {
    if let old = nodes.removeValue(forKey: cell) {
      steps -= old.steps
      for reference in old.references { readers[reference].remove(cell) }
    }
    guard let formula else { return }
    let node = Node(formula: formula, references: formula.references, steps: formula.steps)
    guard steps + node.steps <= Self.stepLimit else { throw Self.isFull }
    steps += node.steps
    nodes[cell] = node
    for reference in node.references { readers[reference].insert(cell) }
  }

  static let isFull = FormulaError(
    "#ERROR: the formulas of the sheet would take more than \(stepLimit) steps"
  )

  /// The beginning of the error of a cell that depends on itself.
  static let cycle = "#CYCLE:"

  /// Whether a cell's formula reads a cell that depends on itself.
  func readsCycle(_ cell: Int) -> Bool {
    nodes[cell]?.references.contains { reference in
      if case .error(let text) = values[reference] { text.hasPrefix(Self.cycle) } else { false }
    } ?? false
  }

  /// Returns the number that a cell's formula has now; nil if the cell has none.
  func evaluate(_ cell: Int) throws(FormulaError) -> Double? {
    try nodes[cell]?.formula.value(values)
  }

  /// Returns the cells that read a cell, the last one first.
  func readers(of cell: Int) -> [Int] { readers[cell].sorted(by: >) }

  /// Returns a cell and all that depend on it, directly or not, in order.
  func affected(by cell: Int) -> [Int] {
    var (seen, next): (Set<Int>, [Int]) = ([cell], [cell])
    while let one = next.popLast() {
      for reader in readers[one] where seen.insert(reader).inserted { next.append(reader) }
    }
    return seen.sorted()
  }
}
