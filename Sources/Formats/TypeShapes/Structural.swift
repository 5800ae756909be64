import FusionStrictJSON
import UIFusionKit

/// A type whose shape is known without probing.
protocol Structural: Decodable {
  /// Returns the shape, and samples as an array of the type's values.
  static func find(by prober: Prober) -> (shape: Shape, samples: Any)
}

extension Bool: Structural {
  static func find(by prober: Prober) -> (shape: Shape, samples: Any) { (.bool, [true, false]) }
}

extension String: Structural {
  /// The samples: the first is for examples, the others for types that parse strings.
  static let samples = [
    "text", "", "1", "#000000", "2000-01-01T00:00:00Z", "00000000-0000-0000-0000-000000000000",
    "http://localhost/",
  ]
  static func find(by prober: Prober) -> (shape: Shape, samples: Any) { (.string, samples) }
}

extension Double: Structural {
  static func find(by prober: Prober) -> (shape: Shape, samples: Any) {
    (.number, [1.5, 0] as [Double])
  }
}

extension Float: Structural {
  static func find(by prober: Prober) -> (shape: Shape, samples: Any) {
    (.number, [1.5, 0] as [Float])
  }
}

private protocol StructuralInteger: Structural, FixedWidthInteger {}

extension StructuralInteger {
  static func find(by prober: Prober) -> (shape: Shape, samples: Any) {
    let name = "\(isSigned ? "int" : "uint")\(bitWidth)"
    let shape = Shape.integer(
      minimum: "\(min)",
      maximum: "\(max)",
      format: bitWidth > 53 ? name : nil
    )
    return (shape, [1, 0] as [Self])
  }
}

extension Int: StructuralInteger {}
extension Int8: StructuralInteger {}
extension Int16: StructuralInteger {}
extension Int32: StructuralInteger {}
extension Int64: StructuralInteger {}
extension Int128: StructuralInteger {}
extension UInt: StructuralInteger {}
extension UInt8: StructuralInteger {}
extension UInt16: StructuralInteger {}
extension UInt32: StructuralInteger {}
extension UInt64: StructuralInteger {}
extension UInt128: StructuralInteger {}

extension Optional: Structural where Wrapped: Decodable {
  static func find(by prober: Prober) -> (shape: Shape, samples: Any) {
    guard Wrapped.self != Never.self else { return (.null, [nil] as [Wrapped?]) }
    let finding = prober.find(Wrapped.self)
    return (finding.shape.within { .optional($0) }, finding.samples.map(Optional.some) + [nil])
  }
}

extension Array: Structural where Element: Decodable {
  static func find(by prober: Prober) -> (shape: Shape, samples: Any) {
    let finding = prober.find(Element.self)
    return (finding.shape.within { .array($0) }, finding.samples.prefix(1).map { [$0] } + [[]])
  }
}

extension Set: Structural where Element: Decodable {
  static func find(by prober: Prober) -> (shape: Shape, samples: Any) {
    let finding = prober.find(Element.self)
    return (finding.shape.within { .set($0) }, finding.samples.prefix(1).map { Set([$0]) } + [[]])
  }
}

extension Dictionary: Structural where Key: Decodable, Value: Decodable {
  /// Returns the shape of an object; any shape if the keys have no names.
  static func find(by prober: Prober) -> (shape: Shape, samples: Any) {
    guard StrictJSON.haveNames(Key.self) else { return (.any, [[:]] as [Self]) }
    let keys = prober.find(Key.self)
    let values = prober.find(Value.self)
    let one = zip(keys.samples, values.samples).prefix(1).map { [$0: $1] }
    return (
      .dictionary(values.shape, names: .init(of: prober.resolved(keys.shape))), one + [[:]]
    )
  }
}

extension Shape.Names {
  /// Creates the names of keys from their shape.
  fileprivate init(of keys: Shape) {
    switch keys {
    case .values(let values):
      self = .values(
        values.compactMap { value in
          switch value {
          case .string(let text), .number(let text): text
          default: nil
          }
        }
      )
    case .integer(let minimum, _, _): self = .integers(isSigned: minimum != "0")
    case .formatted(let format): self = .formatted(format)
    default: self = .any
    }
  }
}

extension Shape {
  /// Returns the shape of a wrapper of a value with this shape; hidden from clients if the value is.
  fileprivate func within(_ outer: (Shape) -> Shape) -> Shape {
    if case .storedOnly(let shape) = self { .storedOnly(outer(shape)) } else { outer(self) }
  }
}

extension Secret: Structural where Value: Decodable {
  static func find(by prober: Prober) -> (shape: Shape, samples: Any) {
    let finding = prober.find(Value.self)
    let shape = finding.shape == .string ? .formatted(.password) : finding.shape
    return (shape, finding.samples.map { Secret($0) })
  }
}

extension Private: Structural where Value: Decodable {
  static func find(by prober: Prober) -> (shape: Shape, samples: Any) {
    let finding = prober.find(Value.self)
    return (.storedOnly(finding.shape), finding.samples.map { Private($0) })
  }
}

extension Redacted: Structural where Value: Decodable {
  static func find(by prober: Prober) -> (shape: Shape, samples: Any) {
    let finding = prober.find(Value.self)
    return (finding.shape, finding.samples.map { Redacted($0) })
  }
}

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
/// A type with a format of its own in JSON.
private protocol StructuralFormat: Structural {
  static var format: Shape.Format { get }
  static var samples: [Self] { get }
}

extension StructuralFormat {
  static func find(by prober: Prober) -> (shape: Shape, samples: Any) {
    (.formatted(format), samples)
  }
}

extension Date: StructuralFormat {
  static var format: Shape.Format { .dateTime }
  static var samples: [Date] {
    [Date(timeIntervalSince1970: 946_728_000), Date(timeIntervalSince1970: 0)]
  }
}

extension CalendarDay: StructuralFormat {
  static var format: Shape.Format { .date }
  static var samples: [CalendarDay] {
    ["2000-01-31", "1970-01-01"].compactMap { CalendarDay($0) }
  }
}

extension URL: StructuralFormat {
  static var format: Shape.Format { .url }
  static var samples: [URL] { URL(string: "https://example.org/").map { [$0] } ?? [] }
}

extension UUID: StructuralFormat {
  static var format: Shape.Format { .uuid }
  static var samples: [UUID] { [UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))] }
}

extension Decimal: StructuralFormat {
  static var format: Shape.Format { .decimal }
  static var samples: [Decimal] { [Decimal(125) / 10, 0] }
}

extension Data: StructuralFormat {
  static var format: Shape.Format { .base64 }
  static var samples: [Data] { [Data("text".utf8), Data()] }
}

extension Duration: StructuralFormat {
  static var format: Shape.Format { .seconds }
  static var samples: [Duration] { [.milliseconds(1500), .zero] }
}
