import FusionStrictJSON
import Testing
import UIFusionKit

private enum Setting: Codable, Equatable {
  case due(on: CalendarDay?)
  case tally([CalendarDay: Int])
}

struct `A calendar's day in JSON` {
  @Test func `is a string, and a member's name`() throws {
    let day = try #require(CalendarDay("2028-02-29"))
    #expect(try encoded(Setting.due(on: day)) == #"{"due":{"on":"2028-02-29"}}"#)
    #expect(try decodeInput(Setting.self, #"{"due":{"on":"2028-02-29"}}"#) == .due(on: day))
    let text = #"{"tally":{"2028-02-29":3}}"#
    #expect(try encoded(Setting.tally([day: 3])) == text)
    #expect(try decode(Setting.self, text) == .tally([day: 3]))
  }

  @Test(arguments: [#""2027-02-29""#, #""2028-02-29T00:00:00Z""#, #""tomorrow""#])
  func `that does not exist is refused with a sentence`(text: String) {
    let error = failure { () throws(JSONError) in
      try decodeInput(Setting.self, #"{"due":{"on":\#(text)}}"#)
    }
    #expect(error?.member == "on")
    #expect(
      error?.reason
        == #"expected a day such as "2000-01-31", found '\#(text.dropFirst().dropLast())'"#
    )
  }

  @Test func `that does not exist is no member's name`() {
    let error = failure { () throws(JSONError) in
      try decodeInput(Setting.self, #"{"tally":{"2027-02-29":1}}"#)
    }
    #expect(error?.reason.contains("2027-02-29") == true)
  }
}
