import Foundation
import FusionFaultInjection

extension Date: Drawn {
  /// The times that RFC 3339 can say, in milliseconds.
  static func draw(_ generator: inout Generator, size: Int) -> Date {
    let edges = [
      0, 1, -1, 1_761_352_200_000, 1_774_746_000_000, -62_135_596_800_000, 253_402_300_799_999,
      951_782_400_000,
    ]
    let milliseconds =
      generator.isChosen(percent: 60)
      ? generator.element(of: edges)
      : Int.random(in: -62_135_596_800_000...253_402_300_799_999, using: &generator)
    return Date(timeIntervalSince1970: Double(milliseconds) / 1_000)
  }
}

extension Data: Drawn {
  static func draw(_ generator: inout Generator, size: Int) -> Data {
    Data((0..<Swift.max(0, size) * 7).map { _ in UInt8.random(in: 0...255, using: &generator) })
  }
}

extension UUID: Drawn {
  static func draw(_ generator: inout Generator, size: Int) -> UUID {
    let (a, b) = (generator.next(), generator.next())
    return withUnsafeBytes(of: (a, b)) { $0.loadUnaligned(as: UUID.self) }
  }
}

extension URL: Drawn {
  static func draw(_ generator: inout Generator, size: Int) -> URL {
    let edges = [
      "https://example.org", "https://example.org/a%20b?c=d&e=%2B#f", "mailto:a@example.org", "a",
      "//host/path", "http://[::1]:8080/", "https://xn--bcher-kva.example/ü", "data:,x", "?", "#",
    ]
    return URL(string: generator.element(of: edges)) ?? URL(filePath: "/")
  }
}

extension Decimal: Drawn {
  static func draw(_ generator: inout Generator, size: Int) -> Decimal {
    let edges: [Decimal] = [
      0, 1, -1, .greatestFiniteMagnitude, -.greatestFiniteMagnitude, .leastNonzeroMagnitude, .pi,
      Decimal(sign: .minus, exponent: -127, significand: 1),
      Decimal(sign: .plus, exponent: 127, significand: 9),
    ]
    return generator.isChosen(percent: 60)
      ? generator.element(of: edges)
      : Decimal(Int.random(in: -1_000_000...1_000_000, using: &generator)) / 100
  }
}

extension TimeZone: Drawn {
  static func draw(_ generator: inout Generator, size: Int) -> TimeZone {
    generator.element(of: [
      .gmt, TimeZone(identifier: "Europe/Berlin") ?? .gmt, TimeZone(secondsFromGMT: 5400) ?? .gmt,
      TimeZone(secondsFromGMT: -64_800) ?? .gmt,
    ])
  }
}

extension Locale: Drawn {
  static func draw(_ generator: inout Generator, size: Int) -> Locale {
    Locale(identifier: generator.element(of: ["", "de_DE", "tr_TR", "zh-Hant-TW", "ko_KR@x=y"]))
  }
}

extension Calendar: Drawn {
  static func draw(_ generator: inout Generator, size: Int) -> Calendar {
    Calendar(identifier: generator.element(of: [.gregorian, .islamic, .japanese, .iso8601]))
  }
}

extension DateComponents: Drawn {
  static func draw(_ generator: inout Generator, size: Int) -> DateComponents {
    DateComponents(
      timeZone: Optional<TimeZone>.draw(&generator, size: 0),
      year: Optional<Int>.draw(&generator, size: 0),
      month: Optional<Int>.draw(&generator, size: 0),
      nanosecond: Optional<Int>.draw(&generator, size: 0)
    )
  }
}

extension DateInterval: Drawn {
  static func draw(_ generator: inout Generator, size: Int) -> DateInterval {
    DateInterval(
      start: Date.draw(&generator, size: 0),
      duration: generator.element(of: [0, 1, 3600, 0.5])
    )
  }
}

extension IndexPath: Drawn {
  static func draw(_ generator: inout Generator, size: Int) -> IndexPath {
    IndexPath(
      indexes: (0..<Swift.max(0, size)).map { _ in Int.random(in: 0...99, using: &generator) }
    )
  }
}

extension PersonNameComponents: Drawn {
  static func draw(_ generator: inout Generator, size: Int) -> PersonNameComponents {
    var name = PersonNameComponents()
    name.givenName = Optional<String>.draw(&generator, size: 1)
    name.familyName = Optional<String>.draw(&generator, size: 1)
    return name
  }
}
