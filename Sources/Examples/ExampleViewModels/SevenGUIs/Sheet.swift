/// The cells of a spreadsheet that hold something, by name; a change reaches only the cells that depend on it.
package struct Sheet: Codable, Equatable, Sendable {
  /// The entries: numbers, texts, and formulas behind `=`.
  package private(set) var formulas: [String: String] = [:]
  private var numbers: [String: Double] = [:]
  private var errors: [String: String] = [:]

  package init() {}

  package func value(of cell: Cell) -> Value {
    if let number = numbers[cell.name] { return .number(number) }
    if let error = errors[cell.name] { return .error(error) }
    return formulas[cell.name].map { .text($0) } ?? .empty
  }

  /// Writes an entry, and evaluates it and what depends on it.
  ///
  /// - Returns: the cells that were evaluated, in order.
  @discardableResult
  package mutating func write(_ entry: String, to cell: Cell) -> [Cell] {
    formulas[cell.name] = entry.isEmpty ? nil : entry
    let dependants = dependants()
    let affected = affected(by: cell, dependants)
    // The number of affected cells that each affected cell reads: these must have their values first.
    var awaited: [Cell: Int] = [:]
    for reader in affected.flatMap({ dependants[$0] ?? [] }) { awaited[reader, default: 0] += 1 }
    var ready = affected.filter { awaited[$0] == nil }
    var done: [Cell] = []
    var stale: Set = [cell]
    while let next = ready.popLast() {
      let hasChanged = stale.contains(next) && evaluate(next)
      if stale.contains(next) { done.append(next) }
      for reader in dependants[next] ?? [] {
        if hasChanged { stale.insert(reader) }
        awaited[reader, default: 0] -= 1
        if awaited[reader] == 0 { ready.append(reader) }
      }
    }
    // The remaining cells are in a cycle, or depend on a cell that is.
    for waiting in affected where awaited[waiting, default: 0] > 0 {
      set(.error("#CYCLE: \(waiting.name) depends on itself, or on a cell that does"), to: waiting)
      done.append(waiting)
    }
    return done
  }

  /// The readers of each cell.
  private func dependants() -> [Cell: [Cell]] {
    var dependants: [Cell: [Cell]] = [:]
    for (name, entry) in formulas where entry.hasPrefix("=") {
      guard let reader = Cell(name), let formula = try? FormulaParser.formula(entry.dropFirst())
      else { continue }
      for cell in formula.references { dependants[cell, default: []].append(reader) }
    }
    return dependants.mapValues { $0.sorted(by: >) }
  }

  /// A cell and all that depend on it, directly or not.
  private func affected(by cell: Cell, _ dependants: [Cell: [Cell]]) -> [Cell] {
    var (seen, next): (Set<Cell>, [Cell]) = ([cell], [cell])
    while let one = next.popLast() {
      for reader in dependants[one] ?? [] where seen.insert(reader).inserted { next.append(reader) }
    }
    return seen.sorted()
  }

  /// Evaluates a cell; returns whether its value has changed.
  private mutating func evaluate(_ cell: Cell) -> Bool {
    let before = value(of: cell)
    let entry = formulas[cell.name] ?? ""
    guard entry.hasPrefix("=") else {
      set(Double(entry: entry).map { .number($0) } ?? .text(entry), to: cell)
      // A text is read from its entry: whether another one was there before cannot be seen here.
      return true
    }
    do {
      let number = try FormulaParser.formula(entry.dropFirst()).value(value(of:))
      set(number.isFinite ? .number(number) : .error("#NUM: the number is too large"), to: cell)
    } catch {
      set(.error(error.text), to: cell)
    }
    return value(of: cell) != before
  }

  private mutating func set(_ value: Value, to cell: Cell) {
    numbers[cell.name] = if case .number(let number) = value { number } else { nil }
    errors[cell.name] = if case .error(let error) = value { error } else { nil }
  }
}
