import Testing
import UIFusionKit

struct `A list of the visitors who are there` {
  private let ada = Visitor(id: "ada")
  private let bob = Visitor(id: "bob")
  private let eve = Visitor(id: "eve")
  private let driver = Visitor(id: "ada", role: .driver)

  @Test func `keeps the place of one who joins again, in another role`() {
    var present = [ada, bob]
    PresenceChange(.joined, [driver, eve]).update(&present)
    #expect(present == [driver, bob, eve])
  }

  @Test func `loses those who leave`() {
    var present = [ada, bob, eve]
    PresenceChange(.left, [driver, eve]).update(&present)
    #expect(present == [bob])
  }

  @Test func `has exactly those who remained, as they are now`() {
    var present = [ada, bob]
    PresenceChange(.remained, [eve, driver]).update(&present)
    #expect(present == [driver, eve])
  }
}
