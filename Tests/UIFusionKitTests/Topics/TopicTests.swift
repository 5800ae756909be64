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

  @Test func `has subscribers by the bytes of its name`() throws {
    let names = ["\u{E9}", "e\u{301}", "\u{212A}", "K"]
    let topics = Topics()
    let subscriptions = try names.map { topics.subscribe(to: try Topic<Int>($0)) }
    for name in names { #expect(topics.subscribers(of: try Topic<Int>(name)) == 1) }
    #expect(Set(try names.map { try Topic<Int>($0) }).count == 4)
    for subscription in subscriptions { subscription.cancel() }
    for name in names { #expect(topics.subscribers(of: try Topic<Int>(name)) == 0) }
  }

  @Test func `explains why a name is invalid`() {
    let error = #expect(throws: InvalidTopicName.self) {
      try Topic<Int>(String(repeating: "é", count: 128) + "!")
    }
    #expect("\(error!)" == "a topic's name has 1 to 256 bytes of UTF-8, and this one has 257")
    #expect(throws: InvalidTopicName.self) { try Topic<Int>("\("")") }
  }
}
