import Foundation
import Testing
import UIFusionKit

struct `A day of the calendar` {
  static let (first, last) = ("0000-01-01", "9999-12-31")

  @Test func `follows the day before, through all months and leap years`() throws {
    var day = try #require(CalendarDay(Self.first))
    var count = day.daysSince1970
    let lengths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    for year in 0..<804 {
      let isLeap = year % 400 == 0 || year % 4 == 0 && year % 100 != 0
      for month in 1...12 {
        let length = lengths[month - 1] + (isLeap && month == 2 ? 1 : 0)
        #expect(CalendarDay(year: year, month: month, day: length + 1) == nil)
        for number in 1...length {
          guard day == CalendarDay(year: year, month: month, day: number),
            day.daysSince1970 == count
          else { throw Wrong(day: day, count: count) }
          count += 1
          let next = try #require(day.adding(days: 1))
          guard day < next, next.days(until: day) == -1 else { throw Wrong(day: day, count: count) }
          day = next
        }
      }
    }
    #expect(day.description == "0804-01-01")
  }

  struct Wrong: Error {
    let day: CalendarDay
    let count: Int
  }

  @Test func `is the one that Foundation finds`() throws {
    let utc = Date.ISO8601FormatStyle()
    var generator = SystemRandomNumberGenerator()
    for _ in 0..<500 {
      let count = Int.random(in: -135_000...2_932_896, using: &generator)  // from 1600 on
      let moment = Date(timeIntervalSince1970: Double(count) * 86_400)
      let day = try #require(CalendarDay(moment.formatted(utc.year().month().day())))
      #expect(day.daysSince1970 == count && day == CalendarDay(daysSince1970: count))
    }
  }

  @Test func `of a moment depends on the time zone`() throws {
    let moment = Date(timeIntervalSince1970: 1_772_323_200)  // 2026-03-01T00:00:00Z
    for (name, day) in [("America/New_York", "2026-02-28"), ("Asia/Tokyo", "2026-03-01")] {
      let zone = try #require(TimeZone(identifier: name))
      let text = moment.formatted(Date.ISO8601FormatStyle(timeZone: zone).year().month().day())
      #expect(CalendarDay(text)?.description == day)
    }
  }

  @Test func `has the years 0 to 9999, and no arithmetic leaves them`() throws {
    let first = try #require(CalendarDay(Self.first))
    let last = try #require(CalendarDay(Self.last))
    #expect(first.adding(days: first.days(until: last)) == last)
    #expect(last.adding(days: last.days(until: first)) == first)
    for days in [-1, Int.min, Int.min + 1] { #expect(first.adding(days: days) == nil) }
    for days in [1, Int.max, Int.max - 1] { #expect(last.adding(days: days) == nil) }
    #expect(CalendarDay(year: -1, month: 12, day: 31) == nil)
    #expect(CalendarDay(year: 10_000, month: 1, day: 1) == nil)
    #expect(CalendarDay(year: .max, month: .min, day: .max) == nil)
  }

  @Test(arguments: [
    "", "2026-3-01", "2026-02-29", "1900-02-29", "2026-13-01", "2026-00-10", "2026-01-00",
    "2026-04-31", "20260301", "2026-03-01T00:00:00Z", "2026-03-01 ", " 2026-03-01", "2026/03/01",
    "+2026-03-01", "-001-03-01", "12026-03-01", "２０２６-03-01", "2026-03-0١", "2026-W10-1",
  ])
  func `has one form, and the calendar's days alone`(text: String) {
    #expect(CalendarDay(text) == nil)
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode([CalendarDay].self, from: JSONEncoder().encode([text]))
    }
  }

  @Test(arguments: [first, "0004-02-29", "1582-10-10", "1970-01-01", "2000-02-29", last])
  func `is a string in JSON, and a key`(text: String) throws {
    let day = try #require(CalendarDay(text))
    #expect(day.description == text)
    let json = try JSONEncoder().encode([day: [day]])
    #expect(String(decoding: json, as: UTF8.self) == #"{"\#(text)":["\#(text)"]}"#)
    #expect(try JSONDecoder().decode([CalendarDay: [CalendarDay]].self, from: json) == [day: [day]])
  }
}
