/// A day of the Gregorian calendar, such as a due date or a birthday: the same day in every time zone.
///
/// A `Date` is a moment, which is on one day here and on another day elsewhere. In JSON a day is a string, such
/// as `"2026-03-01"`, and it can be the key of a dictionary. With Foundation, the day of a moment in a time zone
/// is `CalendarDay(moment.formatted(Date.ISO8601FormatStyle(timeZone: zone).year().month().day()))`.
///
/// The calendar is the Gregorian one for all times, with the years 0 to 9999, as in RFC 3339.
public struct CalendarDay: Hashable, Sendable {
  /// The year, from 0 to 9999.
  public let year: Int
  /// The month, from 1 to 12.
  public let month: Int
  /// The day of the month, from 1.
  public let day: Int

  /// Creates a day; nil if the calendar has no such day.
  public init?(year: Int, month: Int, day: Int) {
    guard 0...9999 ~= year, 1...12 ~= month, day >= 1, day <= Self.days(of: month, in: year)
    else { return nil }
    (self.year, self.month, self.day) = (year, month, day)
  }

  private static func days(of month: Int, in year: Int) -> Int {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }
}

// The arithmetic is in cycles of 400 years that begin on 1 March.
extension CalendarDay {
  /// Creates the day that is a number of days after 1 January 1970; nil outside the years 0 to 9999.
  public init?(daysSince1970 count: Int) {
    guard -719_528...2_932_896 ~= count else { return nil }
    // From 1 March of the year -400, so that the number is positive.
    let (era, dayOfEra) = (count + 865_565).quotientAndRemainder(dividingBy: 146_097)
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
    month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    year = (era - 1) * 400 + yearOfEra + (month <= 2 ? 1 : 0)
  }

  /// The number of days since 1 January 1970.
  public var daysSince1970: Int {
    let yearFromMarch = (month <= 2 ? year - 1 : year) + 400
    let monthFromMarch = month > 2 ? month - 3 : month + 9
    let dayOfYear = (153 * monthFromMarch + 2) / 5 + day - 1
    return yearFromMarch * 365 + yearFromMarch / 4 - yearFromMarch / 100 + yearFromMarch / 400
      + dayOfYear - 865_565
  }

  /// Returns the day that is a number of days later; nil outside the years 0 to 9999.
  public func adding(days: Int) -> CalendarDay? {
    let (sum, isTooLarge) = daysSince1970.addingReportingOverflow(days)
    return isTooLarge ? nil : CalendarDay(daysSince1970: sum)
  }

  /// Returns the number of days from this day to another one; negative if that is earlier.
  public func days(until other: CalendarDay) -> Int { other.daysSince1970 - daysSince1970 }
}

extension CalendarDay: Comparable {
  /// Returns whether a day is earlier than another one.
  public static func < (one: CalendarDay, other: CalendarDay) -> Bool {
    (one.year, one.month, one.day) < (other.year, other.month, other.day)
  }
}

extension CalendarDay: LosslessStringConvertible {
  /// Creates a day from its only form in ISO 8601 and RFC 3339, such as `2026-03-01`.
  public init?(_ text: String) {
    let digits = Array(text.utf8)
    guard digits.count == 10 else { return nil }
    var numbers = [0]
    for (place, digit) in digits.enumerated() {
      if place == 4 || place == 7 {
        guard digit == UInt8(ascii: "-") else { return nil }
        numbers.append(0)
      } else {
        guard UInt8(ascii: "0")...UInt8(ascii: "9") ~= digit else { return nil }
        numbers[numbers.count - 1] = numbers[numbers.count - 1] * 10 + Int(digit & 0xF)
      }
    }
    self.init(year: numbers[0], month: numbers[1], day: numbers[2])
  }

  /// The day, such as `2026-03-01`.
  public var description: String {
    func padded(_ number: Int, _ count: Int) -> String {
      let digits = String(number)
      return String(repeating: "0", count: count - digits.utf8.count) + digits
    }
    return "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))"
  }
}

extension CalendarDay: Codable, CodingKeyRepresentable {
  /// Reads a day from a string.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    guard let day = CalendarDay(text) else {
      throw DecodingError.dataCorruptedError(
        in: container,
        debugDescription: "expected a day such as \"2000-01-31\", found '\(text)'"
      )
    }
    self = day
  }

  /// Writes the day as a string.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }

  /// The day as the name of a dictionary's member.
  public var codingKey: any CodingKey { description.codingKey }

  /// Creates the day with that name.
  public init?(codingKey: some CodingKey) { self.init(codingKey.stringValue) }
}
