import UIFusionKit

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
