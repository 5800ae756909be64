#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

/// A value of a library's type that is printed as one, whatever parts it is made of.
package struct PrintedValue {
  package let text: String

  /// Prints a value; nil if it has parts to print.
  package init?(_ value: Any) {
    switch value {
    case let date as Date: text = Self.text(of: date)
    case let data as Data: text = "\(data.count) bytes \(data.base64EncodedString())"
    case let value as any CustomStringConvertible
    where value is URL || value is Decimal || value is UUID || value is Duration:
      text = value.description
    default: return nil
    }
  }

  /// Returns a date as RFC 3339 writes it, with what that does not say.
  package static func text(of date: Date) -> String {
    let seconds = date.timeIntervalSince1970
    let plain = "\(seconds) s since 1970"
    // Four digits of a year.
    guard (-62_167_219_200..<253_402_300_800).contains(seconds) else { return plain }
    let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
    let isExact = Date(timeIntervalSince1970: (seconds * 1_000).rounded() / 1_000) == date
    return date.formatted(style) + (isExact ? "" : " (\(plain))")
  }
}
