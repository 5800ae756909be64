/// Reads a formula: `A0 * (B1 + 2) - SUM(C0:C9)`.
struct FormulaParser {
  private var rest: Substring
  /// The number of cells that the ranges so far have.
  private var rangeCells = 0

  private init(_ text: some StringProtocol) { rest = Substring(text) }

  static func formula(_ text: some StringProtocol) throws(FormulaError) -> Formula {
    // Each parenthesis is a call of a function here: their depth has to end somewhere.
    guard text.utf8.count <= Sheet.longestEntry else {
      throw FormulaError("#ERROR: the formula is too long")
    }
    var parser = FormulaParser(text)
    let formula = try parser.sum()
    parser.skipBlanks()
    guard let next = parser.rest.first else { return formula }
    throw FormulaError("#ERROR: “\(next)” is not expected there")
  }

  private mutating func sum() throws(FormulaError) -> Formula {
    var whole = try product()
    while let sign = takes("+-") { whole = .operation(sign, whole, try product()) }
    return whole
  }

  private mutating func product() throws(FormulaError) -> Formula {
    var whole = try factor()
    while let sign = takes("*/") { whole = .operation(sign, whole, try factor()) }
    return whole
  }

  private mutating func factor() throws(FormulaError) -> Formula {
    if takes("-") != nil { return .operation("-", .number(0), try factor()) }
    if takes("(") != nil {
      let inner = try sum()
      try wants(")")
      return inner
    }
    skipBlanks()
    let word = rest.prefix { $0.isLetter || $0.isNumber || $0 == "." }
    rest = rest.dropFirst(word.count)
    if let number = Double(word), number.isFinite { return .number(number) }
    if let cell = Cell(word) { return try range(from: cell) }
    guard !word.isEmpty else {
      throw FormulaError(
        "#ERROR: a value is missing \(rest.first.map { "before “\($0)”" } ?? "at the end")"
      )
    }
    let name = word.uppercased()
    guard Formula.functions[name] != nil else {
      throw FormulaError("#NAME: “\(word)” is neither a cell nor a function")
    }
    try wants("(")
    var arguments = [try sum()]
    while takes(",") != nil { arguments.append(try sum()) }
    try wants(")")
    return .call(name, arguments)
  }

  private mutating func range(from first: Cell) throws(FormulaError) -> Formula {
    guard takes(":") != nil else { return .cell(first.index) }
    skipBlanks()
    let word = rest.prefix { $0.isLetter || $0.isNumber }
    rest = rest.dropFirst(word.count)
    guard let last = Cell(word) else { throw FormulaError("#ERROR: “\(word)” is no cell") }
    let cells = CellRange(first, last)
    rangeCells += cells.count
    guard rangeCells <= 2_600 else {
      throw FormulaError("#ERROR: the ranges have more than 2,600 cells")
    }
    return .cells(cells)
  }

  private mutating func skipBlanks() { rest = rest.drop(while: \.isWhitespace) }

  private mutating func takes(_ signs: String) -> Character? {
    skipBlanks()
    guard let first = rest.first, signs.contains(first) else { return nil }
    return rest.removeFirst()
  }

  private mutating func wants(_ sign: String) throws(FormulaError) {
    if takes(sign) == nil { throw FormulaError("#ERROR: “\(sign)” is missing") }
  }
}
