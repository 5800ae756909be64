import Testing
import UIFusionKit

struct `A topic` {
  @Test func `has a name that stands in the code, or is put together`() throws {
    let name = "kitchen"
    #expect(Topic<Int>("room/kitchen") == (try Topic<Int>("room/\(name)")))
    let kitchen: Topic<Int> = "room/kitchen"
    #expect(kitchen.name == "room/kitchen" && "\(kitchen)" == "room/kitchen")
  }

  @Test(arguments: ["r", " ", "a\u{0}b\n", "방", String(repeating: "é", count: 128)])
  func `has whatever characters in its name, up to 256 bytes`(name: String) throws {
    #expect(try Topic<Int>(name).name == name)
  }

  @Test func `says what is wrong with a name`() {
    let error = #expect(throws: InvalidTopicName.self) {
      try Topic<Int>(String(repeating: "é", count: 128) + "!")
    }
    #expect("\(error!)" == "a topic's name has 1 to 256 bytes of UTF-8, and this one has 257")
    #expect(throws: InvalidTopicName.self) { try Topic<Int>("\("")") }
  }
}
