import FusionFaultInjection

extension Int: Drawn {
  static func draw(_ generator: inout Generator, size: Int) -> Int { drawInteger(&generator) }
}

extension Int8: Drawn {
  static func draw(_ generator: inout Generator, size: Int) -> Int8 { drawInteger(&generator) }
}

extension Int64: Drawn {
  static func draw(_ generator: inout Generator, size: Int) -> Int64 { drawInteger(&generator) }
}

extension UInt16: Drawn {
  static func draw(_ generator: inout Generator, size: Int) -> UInt16 { drawInteger(&generator) }
}

extension UInt64: Drawn {
  static func draw(_ generator: inout Generator, size: Int) -> UInt64 { drawInteger(&generator) }
}

extension Double: Drawn {
  static func draw(_ generator: inout Generator, size: Int) -> Double { drawNumber(&generator) }
}

extension Float: Drawn {
  static func draw(_ generator: inout Generator, size: Int) -> Float { drawNumber(&generator) }
}

extension Bool: Drawn {
  static func draw(_ generator: inout Generator, size: Int) -> Bool {
    generator.isChosen(percent: 50)
  }
}

extension String: Drawn {
  private static let edges = [
    "", " ", "a", "\u{0}", "\u{1b}[31m", "\"\\/\u{8}\u{c}\n\r\t", "\r\n", "é", "e\u{301}", "İ", "ı",
    "ß", "K", "\u{212a}", "한국어", "👩‍👩‍👧‍👦", "🇩🇪", "\u{fffd}", "\u{feff}", "\u{2028}\u{2029}\u{85}",
    "\u{202e}abc", "\u{10ffff}", "__proto__", "constructor", "null", "0", "-0", "1e3", "$id",
    "{x}", "<script>", "]]>", "'", "data:", "../..", "%00", "id", "version",
  ]

  static func draw(_ generator: inout Generator, size: Int) -> String {
    switch Int.random(in: 0..<10, using: &generator) {
    case 0...5: generator.element(of: edges)
    case 6, 7: edges.shuffled(using: &generator).prefix(Swift.max(0, size)).joined()
    case 8: String(repeating: generator.element(of: edges), count: Swift.max(0, size) * 100)
    default:
      String(
        String.UnicodeScalarView(
          (0..<Swift.max(0, size)).compactMap { _ in
            Unicode.Scalar(UInt32.random(in: 0...0x10ffff, using: &generator))
          }
        )
      )
    }
  }
}

extension Duration: Drawn {
  static func draw(_ generator: inout Generator, size: Int) -> Duration {
    let edges: [Duration] = [
      .zero, .nanoseconds(1), .seconds(1), .seconds(-1), .milliseconds(1),
      Duration(secondsComponent: .max, attosecondsComponent: 0),
      Duration(secondsComponent: .min, attosecondsComponent: 0),
      Duration(secondsComponent: 0, attosecondsComponent: 1), .seconds(1e10),
    ]
    return generator.element(of: edges)
  }
}

extension Optional: Drawn where Wrapped: Drawn {
  static func draw(_ generator: inout Generator, size: Int) -> Wrapped? {
    generator.isChosen(percent: 25) ? nil : Wrapped.draw(&generator, size: size)
  }
}

extension Array: Drawn where Element: Drawn {
  static func draw(_ generator: inout Generator, size: Int) -> [Element] { generator.values(size) }
}

extension Set: Drawn where Element: Drawn {
  static func draw(_ generator: inout Generator, size: Int) -> Set<Element> {
    Set(generator.values(size + 2))
  }
}

extension Dictionary: Drawn where Key: Drawn, Value: Drawn {
  static func draw(_ generator: inout Generator, size: Int) -> [Key: Value] {
    let keys: [Key] = generator.values(size + 2)
    return Dictionary(keys.map { ($0, Value.draw(&generator, size: size - 1)) }) { $1 }
  }
}

extension Range: Drawn where Bound: Drawn {
  static func draw(_ generator: inout Generator, size: Int) -> Range<Bound> {
    let bounds = [Bound.draw(&generator, size: 0), Bound.draw(&generator, size: 0)].sorted()
    return bounds[0]..<bounds[1]
  }
}

extension ClosedRange: Drawn where Bound: Drawn {
  static func draw(_ generator: inout Generator, size: Int) -> ClosedRange<Bound> {
    let bounds = [Bound.draw(&generator, size: 0), Bound.draw(&generator, size: 0)].sorted()
    return bounds[0]...bounds[1]
  }
}
