import UIFusionKit

/// A moment in milliseconds since 1970, written by RFC 3339 section 5.6.
///
/// The years run from 0000 to 9999 in UTC, since RFC 3339 has no form for others.
package struct Timestamp: Equatable {
  static let range = -62_167_219_200_000...253_402_300_799_999

  package let milliseconds: Int

  /// Creates a timestamp, unless the year has more than four digits.
  package init?(milliseconds: Int) {
    guard Self.range ~= milliseconds else { return nil }
    self.milliseconds = milliseconds
  }

  /// The text in UTC with milliseconds, such as `1985-04-12T23:20:50.520Z`.
  package var text: String {
    let (day, time) = milliseconds.quotientAndFloorRemainder(dividingBy: 86_400_000)
    // Each timestamp is on such a day, by its initializer.
    guard let date = CalendarDay(daysSince1970: day) else { return "" }
    let seconds = time / 1000
    var text: [UInt8] = []
    text.reserveCapacity(24)
    text.append(date.year, digits: 4, then: "-")
    text.append(date.month, digits: 2, then: "-")
    text.append(date.day, digits: 2, then: "T")
    text.append(seconds / 3600, digits: 2, then: ":")
    text.append(seconds / 60 % 60, digits: 2, then: ":")
    text.append(seconds % 60, digits: 2, then: ".")
    text.append(time % 1000, digits: 3, then: "Z")
    return String(decoding: text, as: UTF8.self)
  }

  /// Reads a `date-time` with any offset, rounding fractions of a second to milliseconds.
  ///
  /// Second 60 is allowed only at the end of a month in UTC (section 5.7).
  package init?(_ text: String) {
    var rest = text.utf8[...]
    guard let year = rest.number(digits: 4), rest.skip("-"), let month = rest.number(digits: 2),
      rest.skip("-"), let day = rest.number(digits: 2), rest.skip("T", "t"),
      let hour = rest.number(digits: 2), rest.skip(":"), let minute = rest.number(digits: 2),
      rest.skip(":"), let second = rest.number(digits: 2),
      let fraction = rest.milliseconds(), let offset = rest.offset(), rest.isEmpty,
      let date = CalendarDay(year: year, month: month, day: day),
      hour < 24, minute < 60, second <= 60
    else { return nil }
    let minutes = (date.daysSince1970 * 24 + hour) * 60 + minute - offset
    if second == 60 {
      let (nextDay, rest) = (minutes + 1).quotientAndFloorRemainder(dividingBy: 1440)
      guard rest == 0, CalendarDay(daysSince1970: nextDay)?.day == 1 else { return nil }
    }
    self.init(milliseconds: (minutes * 60 + second) * 1000 + fraction)
  }
}

extension Int {
  fileprivate func quotientAndFloorRemainder(dividingBy divisor: Int) -> (Int, Int) {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
  }
}

extension [UInt8] {
  fileprivate mutating func append(_ number: Int, digits: Int, then end: Unicode.Scalar) {
    var divisor = (1..<digits).reduce(1) { divisor, _ in divisor * 10 }
    for _ in 0..<digits {
      append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number / divisor % 10))
      divisor /= 10
    }
    append(UInt8(ascii: end))
  }
}

extension Substring.UTF8View {
  fileprivate mutating func skip(_ choices: Unicode.Scalar...) -> Bool {
    guard let first, choices.contains(where: { UInt8(ascii: $0) == first }) else { return false }
    removeFirst()
    return true
  }

  fileprivate mutating func digit() -> Int? {
    guard let first, UInt8(ascii: "0")...UInt8(ascii: "9") ~= first else { return nil }
    removeFirst()
    return Int(first - UInt8(ascii: "0"))
  }

  fileprivate mutating func number(digits: Int) -> Int? {
    var number = 0
    for _ in 0..<digits {
      guard let digit = digit() else { return nil }
      number = number * 10 + digit
    }
    return number
  }

  /// Reads `time-secfrac` in milliseconds; returns 0 without one, nil if no digit follows the point.
  fileprivate mutating func milliseconds() -> Int? {
    guard skip(".") else { return 0 }
    var (milliseconds, count) = (0, 0)
    while let digit = digit() {
      if count < 3 { milliseconds = milliseconds * 10 + digit }
      if count == 3, digit >= 5 { milliseconds += 1 }
      count += 1
    }
    guard count > 0 else { return nil }
    for _ in count..<Swift.max(count, 3) { milliseconds *= 10 }
    return milliseconds
  }

  /// Reads `time-offset` in minutes east of UTC.
  fileprivate mutating func offset() -> Int? {
    if skip("Z", "z") { return 0 }
    let isWest = first == UInt8(ascii: "-")
    guard skip("+", "-"), let hour = number(digits: 2), skip(":"), let minute = number(digits: 2),
      hour < 24, minute < 60
    else { return nil }
    return isWest ? -(hour * 60 + minute) : hour * 60 + minute
  }
}
