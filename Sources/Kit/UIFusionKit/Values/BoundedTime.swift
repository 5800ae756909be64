#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

extension Int64 {
  /// Returns the sum, or the nearest number.
  package func adding(_ other: Int64) -> Int64 {
    let (sum, isOverflow) = addingReportingOverflow(other)
    return isOverflow ? (other < 0 ? .min : .max) : sum
  }

  /// Returns the difference, or the nearest number.
  package func subtracting(_ other: Int64) -> Int64 {
    let (difference, isOverflow) = subtractingReportingOverflow(other)
    return isOverflow ? (other < 0 ? .max : .min) : difference
  }
}

/// Arithmetic on times from outside, such as those of clients, rows and clocks: a result that its type cannot
/// hold is the nearest that it can.
extension Duration {
  /// Returns the sum.
  package func adding(_ other: Duration) -> Duration {
    let (sum, isOverflow) = attoseconds.addingReportingOverflow(other.attoseconds)
    return Duration(attoseconds: isOverflow ? (other < .zero ? .min : .max) : sum)
  }

  /// Returns the difference.
  package func subtracting(_ other: Duration) -> Duration {
    let (difference, isOverflow) = attoseconds.subtractingReportingOverflow(other.attoseconds)
    return Duration(attoseconds: isOverflow ? (other < .zero ? .max : .min) : difference)
  }

  /// The duration in milliseconds, towards zero.
  package var milliseconds: Int64 { Int64(clamping: attoseconds / 1_000_000_000_000_000) }

  /// The duration in seconds, away from zero.
  package var secondsRoundedUp: Int {
    let (seconds, rest) = attoseconds.quotientAndRemainder(dividingBy: 1_000_000_000_000_000_000)
    return Int(clamping: seconds + rest.signum())
  }
}

extension Date {
  /// The times that can be stored, in milliseconds since 1970; any two can be subtracted.
  ///
  /// The last is the end of the year 9999, and the first is as far before 1970.
  package static let storable: ClosedRange<Int64> = -253_402_300_800_000...253_402_300_800_000

  /// The milliseconds since 1970, within ``storable``; 0 for a date that is not a number.
  package var milliseconds: Int64 {
    let milliseconds = (timeIntervalSince1970 * 1000).rounded(.down)
    let (first, last) = (Double(Self.storable.lowerBound), Double(Self.storable.upperBound))
    return Int64(milliseconds.isNaN ? 0 : max(first, min(milliseconds, last)))
  }
}
