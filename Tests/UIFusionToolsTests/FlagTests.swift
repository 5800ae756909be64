import Foundation
import FusionCommandLine
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

  @Test func `takes all that follows the first equals sign as a flag's value`() throws {
    let command = try CommandParser(.all, program: "shop").command(
      ["sessions", "list", "--data=/data/a=b"],
      environment: [:]
    )
    #expect((command as? ListCommand)?.store.description == "/data/a=b")
  }

  @Test func `writes files that only their owner can read`() throws {
    let path = FileManager.default.temporaryDirectory.path + "/\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: path) }
    try Files.write([1], to: path)
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    #expect(attributes[.posixPermissions] as? Int == 0o600)
  }
}
