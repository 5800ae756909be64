import Testing
import UIFusionKit

struct `A topic` {
  @Test func `is named by a literal, or by a computed string`() throws {
    let name = "kitchen"
    #expect(Topic<Int>("room/kitchen") == (try Topic<Int>("room/\(name)")))
    let kitchen: Topic<Int> = "room/kitchen"
    #expect(kitchen.name == "room/kitchen" && "\(kitchen)" == "room/kitchen")
  }

  @Test(arguments: ["r", " ", "a\u{0}b\n", "방", String(repeating: "é", count: 128)])
  func `may have any characters in its name, up to 256 bytes`(name: String) throws {
    #expect(try Topic<Int>(name).name == name)
  }

  @Test func `explains why a name is invalid`() {
    let error = #expect(throws: InvalidTopicName.self) {
      try Topic<Int>(String(repeating: "é", count: 128) + "!")
    }
    #expect("\(error!)" == "a topic's name has 1 to 256 bytes of UTF-8, and this one has 257")
    #expect(throws: InvalidTopicName.self) { try Topic<Int>("\("")") }
  }
}
