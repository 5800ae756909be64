import FusionFaultInjection

/// A type whose values are drawn at random, mostly from the edges of the type.
protocol Drawn: Codable, Hashable, Sendable {
  /// Draws a value; with a size of 0 it is as small as the type allows.
  static func draw(_ generator: inout Generator, size: Int) -> Self
}

extension Generator {
  mutating func element<Element>(of elements: [Element]) -> Element {
    elements[Int.random(in: elements.indices, using: &self)]
  }

  /// Draws up to `size` values.
  mutating func values<Value: Drawn>(_ size: Int) -> [Value] {
    (0..<Int.random(in: 0...Swift.max(0, size), using: &self)).map { _ in
      Value.draw(&self, size: size - 1)
    }
  }
}

extension FixedWidthInteger {
  static func drawInteger(_ generator: inout Generator) -> Self {
    let edges: [Self] = [0, 1, .min, .max, .max - 1, .min + 1, Self(truncatingIfNeeded: 1 << 53)]
    return generator.isChosen(percent: 60)
      ? generator.element(of: edges) : Self.random(in: .min ... .max, using: &generator)
  }
}

extension BinaryFloatingPoint where RawSignificand: FixedWidthInteger {
  static func drawNumber(_ generator: inout Generator) -> Self {
    let edges: [Self] = [
      0, -0.0, 1, -1, 0.1, 1.5, .leastNonzeroMagnitude, .greatestFiniteMagnitude,
      -.greatestFiniteMagnitude, .ulpOfOne, .pi, 1e16, 123_456_789,
    ]
    return generator.isChosen(percent: 60)
      ? generator.element(of: edges) : Self.random(in: -1e6...1e6, using: &generator)
  }
}
