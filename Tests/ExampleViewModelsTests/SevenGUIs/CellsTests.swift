import Foundation
import Testing
import UIFusionKit
import UIFusionTesting

@testable import FusionExampleViewModels

/// The last task of the 7GUIs, tested against its text.
struct `The cells` {
  private var sheet = Sheet()

  private func cell(_ name: String) throws -> Cell { try #require(Cell(name)) }

  @discardableResult
  private mutating func write(_ entry: String, to name: String) throws -> [String] {
    sheet.write(entry, to: try cell(name)).map(\.name)
  }

  private func value(_ name: String) throws -> Value { sheet.value(of: try cell(name)) }

  @Test func `have rows from 0 to 99 and columns from A to Z`() {
    #expect(Cell("A0")?.name == "A0" && Cell("z99")?.name == "Z99")
    for none in ["A100", "A-1", "A", "7", "AA1", "A01", "Ä1", ""] {
      #expect(Cell(none) == nil, "\(none)")
    }
  }

  @Test(arguments: [
    ("=1+2*3", 7), ("=(1+2)*3", 9), ("=-2-3", -5), ("=10/4", 2.5), ("=8/2/2", 2), ("= a0 * 2 ", 10),
    ("=B0", 0), ("=SUM(A0:A2)", 8), ("=SUM(A0,A1,1+1)", 10), ("=sum(A2:A0)", 8),
    ("=AVERAGE(A0:A2)", 4),
    ("=MIN(A0:A1)", 3), ("=MAX(A0:A2)+1", 6), ("=COUNT(A0:C9)", 2), ("=PRODUCT(A0,2,3)", 30),
  ])
  mutating func `evaluate formulas`(entry: String, expected: Double) throws {
    try write("5", to: "A0")
    try write("3", to: "A1")
    try write("a text", to: "A2")
    try write(entry, to: "D0")
    #expect(try value("D0") == .number(expected))
  }

  @Test(arguments: [
    ("=", "#ERROR: a value is missing at the end"),
    ("=1+", "#ERROR: a value is missing at the end"),
    ("=(1", "#ERROR: “)” is missing"), ("=1 2", "#ERROR: “2” is not expected there"),
    ("=*1", "#ERROR: a value is missing before “*”"), ("=A0:B", "#ERROR: “B” is no cell"),
    ("=foo(1)", "#NAME: “foo” is neither a cell nor a function"),
    ("=A100", "#NAME: “A100” is neither a cell nor a function"),
    ("=1/0", "#DIV/0: a division by 0"), ("=AVERAGE(C0:C9)", "#DIV/0: an average of nothing"),
    ("=A0+1", "#VALUE: A0 is no number"), ("=A0:A1", "#VALUE: a range belongs into a function"),
    ("=A1+1", "#REF: A1 has an error"), ("=SUM(A0:A1)", "#REF: A1 has an error"),
  ])
  mutating func `show an error in a formula`(entry: String, problem: String) throws {
    try write("a text", to: "A0")
    try write("=1/0", to: "A1")
    try write(entry, to: "B0")
    #expect(try value("B0") == .error(problem))
  }

  @Test func `parse no formula that is too long`() {
    let error = #expect(throws: FormulaError.self) {
      try FormulaParser.formula(String(repeating: "(", count: 401))
    }
    #expect(error?.text == "#ERROR: the formula is too long")
  }

  @Test mutating func `limit the length of a formula and its number of cells`() throws {
    try write("=" + String(repeating: "(", count: 100_000), to: "A0")
    #expect(try value("A0") == .error("#ERROR: the formula is too long"))
    try write("=SUM(B0:Z99)+SUM(A1:A99,A1)", to: "A0")
    #expect(try value("A0") == .number(0))
    try write("=SUM(B0:Z99)+SUM(B0:Z4,A1)", to: "A0")
    #expect(try value("A0") == .error("#ERROR: the ranges have more than 2,600 cells"))
    try write("=" + String(repeating: "-", count: 399) + "1", to: "A0")
    #expect(try value("A0") == .number(-1))
  }

  @Test mutating func `limit the steps that all formulas take, and the bytes of an entry`() throws {
    let full = "#ERROR: the formulas of the sheet would take more than 20,000 steps"
      .replacing(",", with: "")
    for row in 0..<100 {
      try write("=SUM(C0:Z99)+\(row)", to: "A\(row)")
      try write("=SUM(C0:Z99)*\(row)", to: "B\(row)")
    }
    // Each formula reads 2,400 cells.
    let names = (0..<100).flatMap { ["A\($0)", "B\($0)"] }
    #expect(try names.count { try value($0) == .error(full) } == names.count - 8)
    // A change evaluates those alone.
    #expect(try write("1", to: "Z99").count == 9)
    #expect(try value("B3") == .number(3))
    // They are refused after a restart, too, until they are written again.
    sheet = try restored(sheet)
    #expect(try write("2", to: "Z99").count == 9)
    #expect(try value("A9") == .error(full))
    try write("", to: "A0")
    #expect(try value("A9") == .error(full))
    try write("=SUM(C0:Z99)", to: "A9")
    #expect(try value("A9") == .number(2))
    for entry in ["x", "é", "=1+", "🙂"].map({ String(repeating: $0, count: 50_000) }) {
      try write(entry, to: "C0")
      #expect(sheet.formulas["C0"].map { entry.hasPrefix($0) && $0.utf8.count <= 405 } == true)
      guard case .error(let text) = try value("C0") else {
        Issue.record("no error")
        continue
      }
      #expect(text.hasSuffix("is too long"))
    }
  }

  @Test mutating func `of an earlier build are read, and limited at the next write`() throws {
    let entries = (0..<26).map { #""A\#($0)":"=SUM(B0:Z99)""# }.joined(separator: ",")
    let numbers = (0..<26).map { #""A\#($0)":0"# }.joined(separator: ",")
    let json = #"{"formulas":{\#(entries)},"numbers":{\#(numbers)},"errors":{}}"#
    sheet = try JSONDecoder().decode(Sheet.self, from: Data(json.utf8))
    #expect(try value("A25") == .number(0))
    try write("5", to: "B0")
    #expect(try value("A6") == .number(5))
    guard case .error(let text) = try value("A7") else {
      Issue.record("no error")
      return
    }
    #expect(text.hasPrefix("#ERROR: the formulas of the sheet"))
    sheet = try restored(sheet)
    #expect(try value("A6") == .number(5))
  }

  @Test mutating func `have the same values however they were written`() throws {
    var numbers = RandomNumbers(seed: 7)
    var entries: [String: String] = [:]
    for step in 0..<600 {
      let name = "\(Cell.columns[numbers.next(6)])\(numbers.next(8))"
      let other = "\(Cell.columns[numbers.next(6)])\(numbers.next(8))"
      let entry = [
        "\(step)", "=\(other)+1", "=SUM(A0:\(other))", "=\(other)*\(name)", "", "text",
        "=1/\(other)",
      ][numbers.next(7)]
      try write(entry, to: name)
      entries[name] = entry.isEmpty ? nil : entry
      if step.isMultiple(of: 40) { sheet = try restored(sheet) }
    }
    var fresh = Sheet()
    for (name, entry) in entries.sorted(by: { $0.key < $1.key }) {
      fresh.write(entry, to: try cell(name))
    }
    #expect(sheet == fresh)
  }

  private struct RandomNumbers {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next(_ bound: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int((state >> 33) % UInt64(bound))
    }
  }

  @Test mutating func `are evaluated only if a cell that they read has changed`() throws {
    try write("1", to: "A0")
    try write("=A0+1", to: "A1")
    try write("=A1+A0", to: "A2")
    try write("=B0", to: "B1")
    #expect(try write("2", to: "A0") == ["A0", "A1", "A2"])
    #expect(try value("A2") == .number(5))
    #expect(try write("7", to: "B0") == ["B0", "B1"])
    #expect(try write("9", to: "C0") == ["C0"])
  }

  @Test mutating func `pass on no change if their value stays the same`() throws {
    try write("1", to: "A0")
    try write("=A0*0", to: "A1")
    try write("=A1+1", to: "A2")
    #expect(try write("2", to: "A0") == ["A0", "A1"])
  }

  @Test mutating func `are evaluated once, after all cells that they read`() throws {
    try write("=A0+B9+C5", to: "A9")
    try write("=C5", to: "B9")
    try write("=A0", to: "C5")
    #expect(try write("2", to: "A0") == ["A0", "C5", "B9", "A9"])
    #expect(try value("A9") == .number(6))
  }

  @Test mutating func `report a cycle, and have values again after it is broken`() throws {
    try write("=B0", to: "A0")
    try write("=C0", to: "B0")
    try write("=B0+1", to: "D0")
    try write("=A0", to: "C0")
    for name in ["A0", "B0", "C0", "D0"] {
      #expect(
        try value(name) == .error("#CYCLE: \(name) depends on itself, or on a cell that does")
      )
    }
    try write("4", to: "C0")
    #expect(try value("A0") == .number(4))
    #expect(try value("D0") == .number(5))
    try write("=A5", to: "A5")
    #expect(try value("A5") == .error("#CYCLE: A5 depends on itself, or on a cell that does"))
    try write("", to: "A5")
    #expect(try value("A5") == .empty)
  }

  @Test mutating func `are unchanged after a restart`() throws {
    try write("2", to: "A0")
    try write("=A0*2", to: "A1")
    try write("=1/0", to: "A2")
    sheet = try restored(sheet)
    #expect(try write("3", to: "A0") == ["A0", "A1"])
    #expect(try value("A1") == .number(6))
    #expect(try value("A2") == .error("#DIV/0: a division by 0"))
  }

  @Test func `can be selected, navigated and edited`() async throws {
    let last = try cell("Z99")
    let store = AsyncTestStore { _ in CellsViewModel() }
    await store.send(.select(column: "Z", row: 98)) { ($0.column, $0.row) = ("Z", 98) }
    await store.send(.move(columns: 1, rows: 0))
    await store.send(.move(columns: 0, rows: 1)) { $0.row = 99 }
    await store.send(.move(columns: 0, rows: 1))
    await store.send(.move(columns: .max, rows: .max))
    await store.send(.select(column: "AA", row: 0))
    await store.send(.write(column: "Z", row: 99, entry: " =1/3 ")) {
      $0.sheet.write("=1/3", to: last)
    }
    let derived = store.state.derived
    #expect(derived.rows.count == 100 && derived.columns.count == 26)
    #expect(derived.rows[99]["Z"] == "0.33" && derived.entry == "=1/3" && derived.problem == nil)
    await store.send(.write(column: "Z", row: 99, entry: "=Z99")) {
      $0.sheet.write("=Z99", to: last)
    }
    #expect(store.state.derived.rows[99]["Z"] == "#CYCLE")
    #expect(store.state.derived.problem?.hasPrefix("#CYCLE: Z99") == true)
    await store.finish()
  }
}
