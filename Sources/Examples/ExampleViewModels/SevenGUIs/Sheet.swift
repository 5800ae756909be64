/// The cells of a spreadsheet that hold something, by name; a change reaches only the cells that depend on it.
package struct Sheet: Codable, Sendable {
  /// The most bytes of an entry, not counting the `=` of a formula.
  static let longestEntry = 400

  /// The entries: numbers, texts, and formulas behind `=`.
  package private(set) var formulas: [String: String] = [:]
  private var numbers: [String: Double] = [:]
  private var errors: [String: String] = [:]
  /// The formulas as they are evaluated; nil until the first write.
  private var graph: SheetGraph?

  private enum CodingKeys: CodingKey { case formulas, numbers, errors }

  package init() {}

  package func value(of cell: Cell) -> Value { value(of: cell.name) }

  func value(of name: String) -> Value {
    if let number = numbers[name] { return .number(number) }
    if let error = errors[name] { return .error(error) }
    return formulas[name].map { .text($0) } ?? .empty
  }

  /// Writes an entry, and evaluates it and what depends on it.
  ///
  /// - Returns: the cells that were evaluated, in order.
  @discardableResult
  package mutating func write(_ entry: String, to cell: Cell) -> [Cell] {
    var graph = self.graph.take() ?? makeGraph()
    formulas[cell.name] = entry.isEmpty ? nil : entry.prefix(longerThan: Self.longestEntry + 1)
    let cell = cell.index
    let fault = setFormula(of: cell, in: &graph)
    let affected = graph.affected(by: cell)
    // The number of affected cells that each affected cell reads: these must have their values first.
    var awaited: [Int: Int] = [:]
    for reader in affected.flatMap(graph.readers) { awaited[reader, default: 0] += 1 }
    var ready = affected.filter { awaited[$0] == nil }
    var done: [Int] = []
    var stale: Set = [cell]
    while let next = ready.popLast() {
      let hasChanged = stale.contains(next) && evaluate(next, next == cell ? fault : nil, &graph)
      if stale.contains(next) { done.append(next) }
      for reader in graph.readers(of: next) {
        if hasChanged { stale.insert(reader) }
        awaited[reader, default: 0] -= 1
        if awaited[reader] == 0 { ready.append(reader) }
      }
    }
    // The remaining cells are in a cycle, or depend on a cell that is.
    for waiting in affected where awaited[waiting, default: 0] > 0 {
      setCycle(of: waiting, &graph)
      done.append(waiting)
    }
    self.graph = graph
    return done.map { Cell(index: $0) }
  }

  /// Makes the graph of stored entries; formulas beyond its limit get an error.
  private mutating func makeGraph() -> SheetGraph {
    var graph = SheetGraph()
    for cell in formulas.keys.compactMap({ Cell($0)?.index }).sorted() {
      let name = Cell(index: cell).name
      graph.values[cell] = value(of: name)
      // A formula that was too much when it was written is so until it is written again.
      guard errors[name] != SheetGraph.isFull.text else { continue }
      if let fault = setFormula(of: cell, in: &graph), fault.text == SheetGraph.isFull.text {
        set(.error(fault.text), of: cell, &graph)
      }
    }
    return graph
  }

  /// Reads the formula of a cell's entry, if it is one; returns what is wrong with it.
  private func setFormula(of cell: Int, in graph: inout SheetGraph) -> FormulaError? {
    let entry = formulas[Cell(index: cell).name] ?? ""
    do throws(FormulaError) {
      guard entry.hasPrefix("=") else {
        try graph.set(nil, of: cell)
        if entry.utf8.count > Self.longestEntry {
          throw FormulaError("#ERROR: the entry is too long")
        }
        return nil
      }
      guard entry.utf8.count <= Self.longestEntry + 1 else {
        throw FormulaError("#ERROR: the formula is too long")
      }
      try graph.set(try FormulaParser.formula(entry.dropFirst()), of: cell)
      return nil
    } catch {
      try? graph.set(nil, of: cell)
      return error
    }
  }

  /// Evaluates a cell; returns whether its value has changed.
  private mutating func evaluate(
    _ cell: Int,
    _ fault: FormulaError?,
    _ graph: inout SheetGraph
  ) -> Bool {
    let before = graph.values[cell]
    if let fault {
      set(.error(fault.text), of: cell, &graph)
      return graph.values[cell] != before
    }
    if graph.readsCycle(cell) {
      setCycle(of: cell, &graph)
      return graph.values[cell] != before
    }
    do throws(FormulaError) {
      guard let number = try graph.evaluate(cell) else {
        let entry = formulas[Cell(index: cell).name]
        let number = entry.flatMap { Double($0) }.map { Value.number($0) }
        set(number ?? entry.map { .text($0) } ?? .empty, of: cell, &graph)
        // A text is read from its entry: whether another one was there before cannot be seen here.
        return true
      }
      let value = number.isFinite ? Value.number(number) : .error("#NUM: the number is too large")
      set(value, of: cell, &graph)
    } catch {
      set(.error(error.text), of: cell, &graph)
    }
    return graph.values[cell] != before
  }

  private mutating func setCycle(of cell: Int, _ graph: inout SheetGraph) {
    let name = Cell(index: cell).name
    let text = "\(SheetGraph.cycle) \(name) depends on itself, or on a cell that does"
    set(.error(text), of: cell, &graph)
  }

  private mutating func set(_ value: Value, of cell: Int, _ graph: inout SheetGraph) {
    graph.values[cell] = value
    let name = Cell(index: cell).name
    numbers[name] = if case .number(let number) = value { number } else { nil }
    errors[name] = if case .error(let error) = value { error } else { nil }
  }
}

extension Sheet: Equatable {
  package static func == (one: Sheet, other: Sheet) -> Bool {
    one.formulas == other.formulas && one.numbers == other.numbers && one.errors == other.errors
  }
}

extension String {
  /// Returns the shortest part from the start that has more than so many bytes of UTF-8, or else the whole text.
  fileprivate func prefix(longerThan count: Int) -> String {
    guard utf8.count > count else { return self }
    var end = utf8.index(utf8.startIndex, offsetBy: count + 1)
    while end.samePosition(in: unicodeScalars) == nil { end = utf8.index(after: end) }
    return String(self[..<end])
  }
}
