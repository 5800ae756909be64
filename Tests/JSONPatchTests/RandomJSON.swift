import Foundation

/// The seeds of random tests; `UIFUSION_RANDOM_SEEDS` says how many.
let randomSeeds =
  0..<(ProcessInfo.processInfo.environment["UIFUSION_RANDOM_SEEDS"].flatMap { Int($0) } ?? 2)

/// Random values and changes; the same seed gives the same ones.
struct RandomJSON {
  /// SplitMix64.
  struct Generator: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
      state &+= 0x9E37_79B9_7F4A_7C15
      var mixed = (state ^ state >> 30) &* 0xBF58_476D_1CE4_E5B9
      mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
      return mixed ^ mixed >> 31
    }
  }

  var generator: Generator

  init(seed: UInt64) {
    generator = Generator(state: seed)
  }

  private static let texts: [JSON.Text] = [
    "", "a", "b", "~", "/", "~1", "a/b~c", "\"\\", "\u{0}\n\r\u{2028}", "é😀", "é", "e\u{301}",
    "\u{301}", "0", "-", "01",
    "value",
    "a rather long text, of which a list may hold several",
  ]
  private static let numbers = ["0", "-0", "1", "1.0", "1e9", "-12.5", "9007199254740993"]

  mutating func value(depth: Int) -> JSON {
    switch Int.random(in: 0..<(depth > 0 ? 10 : 4), using: &generator) {
    case 0: .null
    case 1: .bool(Bool.random(using: &generator))
    case 2: .number(Self.numbers.randomElement(using: &generator) ?? "0")
    case 3: .string(text())
    case 4...6: .array((0..<length()).map { _ in value(depth: depth - 1) })
    default:
      .object(
        Dictionary((0..<length()).map { _ in (text(), value(depth: depth - 1)) }) { $1 }
      )
    }
  }

  /// Changes a random place within a value.
  mutating func change(_ value: inout JSON) {
    let isDeeper = Int.random(in: 0..<3, using: &generator) > 0
    switch value {
    case .array(var elements) where !elements.isEmpty:
      let index = Int.random(in: elements.indices, using: &generator)
      if isDeeper { change(&elements[index]) } else { change(&elements, at: index) }
      value = .array(elements)
    case .object(var members) where !members.isEmpty:
      // Sorted, since a dictionary's order differs between runs.
      let name = members.keys.sorted().randomElement(using: &generator) ?? ""
      if isDeeper, var member = members[name] {
        change(&member)
        members[name] = member
      } else if Bool.random(using: &generator) {
        members[name] = nil
      } else {
        members[text()] = self.value(depth: 2)
      }
      value = .object(members)
    default: value = self.value(depth: 2)
    }
  }

  private mutating func change(_ elements: inout [JSON], at index: Int) {
    switch Int.random(in: 0..<6, using: &generator) {
    case 0: elements.remove(at: index)
    case 1: elements.insert(value(depth: 2), at: index)
    case 2: elements.append(value(depth: 1))
    case 3: elements.removeSubrange(index...)
    case 4: elements.insert(contentsOf: elements, at: index)
    default: elements.append(elements.removeFirst())
    }
  }

  private mutating func text() -> JSON.Text { Self.texts.randomElement(using: &generator) ?? "" }

  private mutating func length() -> Int {
    let longest = Int.random(in: 0..<20, using: &generator) == 0 ? 30 : 5
    return Int.random(in: 0...longest, using: &generator)
  }
}
