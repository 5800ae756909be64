import FusionCluster
import FusionMicrohttpdServer
import Testing

@testable import UIFusionServer

struct `The port between nodes` {
  @Test func `accepts the largest request of a client and the largest State`() throws {
    var configuration = Configuration()
    configuration.data = .postgresql("postgres://localhost/x")
    configuration.nodeAddress = "127.0.0.1:0"
    (configuration.maxBody, configuration.maxState) = (40 << 20, 50 << 20)
    let log = Log(format: .text, level: .error) { _ in }
    let options = try #require(try configuration.nodePortOptions(log))
    #expect(options.server?.maxBodyBytes == 40 << 20)
    #expect(options.link.answerBytes > 50 << 20)
  }
}
