import Testing
import UIFusionServer

/// Over sockets.
@Suite(.serialized, .timeLimit(.minutes(2)))
struct `A program's authentication function` {
  @Test func `is cancelled when the service stops`() async throws {
    let (begins, begin) = AsyncStream.makeStream(of: Void.self)
    let (ends, end) = AsyncStream.makeStream(of: Void.self)
    let hosted = try HostedRoutes {
      $0.drain = .zero
    } _: { routes in
      routes.authenticate { _ in
        begin.yield()
        defer { end.yield() }
        try await Task.sleep(for: .seconds(3_600))
        return nil
      }
    }
    let client = try hosted.connect()
    client.request("POST /sessions", json, body: #"{"viewModel":"tally"}"#)
    for await _ in begins { break }
    await hosted.service.stop()
    for await _ in ends { break }
  }
}
