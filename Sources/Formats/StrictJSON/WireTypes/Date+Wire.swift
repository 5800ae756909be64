#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// RFC 3339 in UTC, rounded to milliseconds both ways: so a `Date` with finer digits is written alike
/// before and after it was stored.
extension Date: WireText {
  static var expected: String { "a date and time such as \"2000-01-31T12:00:00.000Z\"" }

  /// Seconds since 2001.
  static var storedKind: JSONNode.Kind? { .number }

  /// Between 1970 and 2001, in milliseconds.
  private static var epoch: Int { 978_307_200_000 }

  init?(wireText: String) {
    guard let timestamp = Timestamp(wireText) else { return nil }
    self.init(
      timeIntervalSinceReferenceDate: Double(timestamp.milliseconds - Self.epoch) / 1000
    )
  }

  /// Nil outside the years 0000 to 9999.
  var wireText: String? {
    let milliseconds = (timeIntervalSinceReferenceDate * 1000).rounded()
    guard let whole = Int(exactly: milliseconds) else { return nil }
    let (sum, isTooLarge) = whole.addingReportingOverflow(Self.epoch)
    return isTooLarge ? nil : Timestamp(milliseconds: sum)?.text
  }
}
