import Testing

@testable import UIFusionServer
@testable import UIFusionTools

struct `A tool` {
  @Test func `takes its flags from the environment, too`() throws {
    let environment = ["UIFUSION_DATA": "/data", "UIFUSION_FORMAT": "json"]
    let command = try CommandParser(.all, program: "shop").command(
      ["sessions", "list"],
      environment: environment
    )
    let list = try #require(command as? ListCommand)
    #expect(list.store.description == "/data")
    #expect(list.format == .json)
  }
}
