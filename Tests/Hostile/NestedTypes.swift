import FusionFaultInjection

/// A struct with members of two types, whose names are hostile to pages and patches.
struct Pair<First: Drawn, Second: Drawn>: Drawn {
  var id: First
  var constructor: Second
  var value: First?

  static func draw(_ generator: inout Generator, size: Int) -> Self {
    Pair(
      id: .draw(&generator, size: size - 1),
      constructor: .draw(&generator, size: size - 1),
      value: .draw(&generator, size: 0)
    )
  }
}

/// An enum with cases of every form.
enum Choice<First: Drawn, Second: Drawn>: Drawn {
  case nothing
  case one(First)
  case two(first: First, second: Second)
  case unnamed(Second, Second)
  indirect case itself(Choice)

  static func draw(_ generator: inout Generator, size: Int) -> Self {
    switch Int.random(in: 0..<5, using: &generator) {
    case 0: .nothing
    case 1: .one(.draw(&generator, size: size - 1))
    case 2: .two(first: .draw(&generator, size: size - 1), second: .draw(&generator, size: 0))
    case 3: .unnamed(.draw(&generator, size: 0), .draw(&generator, size: size - 1))
    default: size > 0 ? .itself(.draw(&generator, size: size - 1)) : .nothing
    }
  }
}

/// An enum of texts, as a key and as a value.
enum Color: String, Drawn, CaseIterable {
  case red, green = "", blue = "é", black = "__proto__"

  static func draw(_ generator: inout Generator, size: Int) -> Color {
    generator.element(of: allCases)
  }
}

/// A type that is equal to others with another text: what is stored has to decide.
struct Caseless: Drawn {
  var text: String

  static func == (a: Self, b: Self) -> Bool { a.text.lowercased() == b.text.lowercased() }
  func hash(into hasher: inout Hasher) { hasher.combine(text.lowercased()) }

  static func draw(_ generator: inout Generator, size: Int) -> Caseless {
    Caseless(text: generator.element(of: ["a", "A", "ab", "aB", ""]))
  }
}

/// A type whose decoding refuses values, as hand-written code does.
struct Positive: Drawn {
  var number: Int

  init(_ number: Int) { self.number = number }

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    number = try container.decode(Int.self)
    guard number > 0 else {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "not positive")
    }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(number)
  }

  static func draw(_ generator: inout Generator, size: Int) -> Positive {
    Positive(Int.random(in: 1...9, using: &generator))
  }
}
