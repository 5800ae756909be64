import FusionStrictJSON
import Testing
import UIFusionKit

/// Writes one value after another, as a session does with its States.
struct ListWriter {
  private(set) var lists: WrittenLists?
  private let notes: () -> UInt64

  init(notes: @escaping () -> UInt64 = { 0 }) { self.notes = notes }

  mutating func write(_ value: some Encodable) throws -> String {
    let written = try StrictJSON.encode(
      value,
      for: .store,
      after: lists,
      capacity: 64,
      restart: {},
      notes: notes
    )
    lists = written.lists
    return String(decoding: written.text.bytes, as: UTF8.self)
  }
}

/// Contains lists in every position; it is a struct, since an enum's text is shortened.
private struct Value: Encodable {
  indirect enum Shape {
    case row(Row)
    case rows(Rows)
    case nested([Rows])
    case member(rows: Rows, after: Value?)
    case table([String: Rows])
    case inTurns(Rows, Rows)
    case tried(Rows, Double)
  }

  let shape: Shape

  private struct InTurns: Encodable {
    let (a, b): (Rows, Rows)
    enum CodingKeys: CodingKey { case a, b }

    func encode(to encoder: any Encoder) throws {
      var object = encoder.container(keyedBy: CodingKeys.self)
      var one = object.nestedUnkeyedContainer(forKey: .a)
      var other = object.nestedUnkeyedContainer(forKey: .b)
      try one.encode(a)
      try other.encode(b)
      try one.encode(b)
    }
  }

  /// Ignores that one of its members cannot be encoded.
  private struct Tried: Encodable {
    struct Broken: Encodable { let (rows, number): (Rows, Double) }
    let broken: Broken
    enum CodingKeys: CodingKey { case a, b, c }

    func encode(to encoder: any Encoder) throws {
      var object = encoder.container(keyedBy: CodingKeys.self)
      try object.encode(broken.rows, forKey: .a)
      try? object.encode(broken, forKey: .b)
      try object.encode(broken.rows, forKey: .c)
    }
  }

  func encode(to encoder: any Encoder) throws {
    var value = encoder.singleValueContainer()
    switch shape {
    case .row(let row): try value.encode(row)
    case .rows(let rows): try value.encode(rows)
    case .nested(let rows): try value.encode(rows)
    case .member(let rows, let after):
      var object = encoder.container(keyedBy: CodingKeys.self)
      try object.encode(rows, forKey: .member)
      try object.encode(after, forKey: .rows)
    case .table(let table): try value.encode(table)
    case .inTurns(let a, let b): try value.encode(InTurns(a: a, b: b))
    case .tried(let rows, let number):
      try value.encode(Tried(broken: .init(rows: rows, number: number)))
    }
  }

  private enum CodingKeys: CodingKey { case member, rows }
}

private typealias Rows = IdentifiedArray<Row>

private struct Row: Codable, Identifiable {
  var mark: Int8
  var id: Int
  var size: Size
  var title: String
  var sort: Color?
  var isDone: Bool?
  var tags: [String]
  var table: [String: [Int]]

  struct Size: Codable {
    var isWide: Bool
    var width: Double?
  }

  static func random(_ numbers: inout some RandomNumberGenerator) -> Row {
    let count = Int.random(in: 0...2, using: &numbers)
    return Row(
      mark: .random(in: 0...1, using: &numbers),
      id: .random(in: 0...Int.max, using: &numbers),
      size: Size(
        isWide: .random(using: &numbers),
        width: [0, -0.0, 1.5, nil].randomElement(using: &numbers) ?? nil
      ),
      title: String(repeating: "é\"", count: count * 8),
      sort: [.red, .green, nil].randomElement(using: &numbers) ?? nil,
      isDone: [true, false, nil].randomElement(using: &numbers) ?? nil,
      tags: Array(repeating: "tag", count: count),
      table: count == 0 ? [:] : ["b": [count], "a": []]
    )
  }
}

/// An enum with synthesised coding, whose text is shortened afterwards.
private enum Choice: Codable {
  case rows(Rows)
  case labelled(rows: Rows, count: Int)
}

private struct State: Encodable {
  var value: Value
  var choice: Choice?
  var rows: Rows
}

struct `Random values with lists` {
  @Test(arguments: randomSeeds) func `are written after a previous value as they are written alone`(
    seed: Int
  ) throws {
    var numbers = Numbers(state: UInt64(seed))
    var rows = Rows((0..<60).map { _ in Row.random(&numbers) })
    var writer = ListWriter()
    for _ in 0..<40 {
      let old = rows
      for _ in 0..<Int.random(in: 0...3, using: &numbers) { change(&rows, &numbers) }
      let value = Value(shape: shape(rows, old, &numbers))
      let choices: [Choice?] = [.labelled(rows: rows, count: 1), .rows(old), nil, nil, nil, nil]
      let choice = choices.randomElement(using: &numbers) ?? nil
      let state = State(value: value, choice: choice, rows: rows)
      #expect(try writer.write(state) == encoded(state))
      if Bool.random(using: &numbers) {
        #expect(try writer.write(value) == encoded(value))
        #expect(try writer.write(rows) == encoded(rows))
        #expect(try writer.write(choice) == encoded(choice))
      }
    }
  }

  private func shape(
    _ rows: Rows,
    _ old: Rows,
    _ numbers: inout some RandomNumberGenerator
  ) -> Value.Shape {
    switch Int.random(in: 0..<8, using: &numbers) {
    case 0: .row(rows.first ?? .random(&numbers))
    case 1, 2: .rows(rows)
    case 3:
      .nested(Array(repeating: rows, count: 3) + Array(repeating: Rows(old.prefix(2)), count: 30))
    case 4: .member(rows: rows, after: Value(shape: .rows(old)))
    case 5: .table(["b": rows, "a": old])
    case 6: .inTurns(rows, old)
    default: .tried(rows, Bool.random(using: &numbers) ? .nan : 1)
    }
  }

  private func change(_ rows: inout Rows, _ numbers: inout some RandomNumberGenerator) {
    let index = Int.random(in: 0...rows.count, using: &numbers)
    let row = Row.random(&numbers)
    guard index < rows.count else { return rows[id: row.id] = row }
    let id = rows[index].id
    switch Int.random(in: 0..<6, using: &numbers) {
    case 0: rows.elements.insert(row, at: index)
    case 1 where rows.count > 20: rows[id: id] = nil
    case 2: rows.elements.swapAt(index, 0)
    case 3: rows[id: id]?.title += "x"
    case 4: rows[id: id]?.tags.append("new")
    default: rows[id: id]?.size = row.size
    }
  }
}

/// SplitMix64.
private struct Numbers: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = (state ^ state >> 30) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
    return mixed ^ mixed >> 31
  }
}
