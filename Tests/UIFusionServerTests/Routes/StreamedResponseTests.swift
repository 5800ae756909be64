import FusionRawHTTP
import Testing
import UIFusionServer

/// Over sockets.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct `A streamed answer` {
  @Test func `is sent part by part`() async throws {
    let (parts, writer) = AsyncStream.makeStream(of: [UInt8].self)
    let hosted = try HostedRoutes { routes in
      routes.get("/parts") { _ in
        Response(headers: ["Content-Type": "text/plain"], stream: parts)
      }
    }
    let client = try hosted.connect()
    client.request("GET /parts")
    #expect(try await client.head()?.status == 200)
    for part in ["one", "two", "three"] {
      writer.yield(Array(part.utf8))
      #expect(try await client.chunk() == Array(part.utf8))
    }
    writer.finish()
    #expect(try await client.chunk() == [])
    await hosted.service.stop()
  }

  @Test func `is cut off if it fails in the middle`() async throws {
    struct Failure: Error {}
    let hosted = try HostedRoutes { routes in
      routes.get("/parts") { _ in
        Response(
          stream: AsyncThrowingStream<[UInt8], any Error> { parts in
            parts.yield(Array("one".utf8))
            parts.finish(throwing: Failure())
          }
        )
      }
    }
    let client = try hosted.connect()
    client.request("GET /parts")
    let answer = try await client.response()
    #expect(answer?.text == "one")
    #expect(answer?.isComplete == false)
    await hosted.service.stop()
  }

  @Test func `is cut off if the service stops`() async throws {
    let (parts, writer) = AsyncStream.makeStream(of: [UInt8].self)
    let hosted = try HostedRoutes { $0.get("/parts") { _ in Response(stream: parts) } }
    let client = try hosted.connect()
    client.request("GET /parts")
    #expect(try await client.head()?.status == 200)
    writer.yield([65])
    #expect(try await client.chunk() == [65])
    await hosted.service.stop()
    #expect(try await client.chunk() == nil)
  }

  @Test func `is cancelled if its client has disconnected`() async throws {
    let (parts, writer) = AsyncStream.makeStream(of: [UInt8].self)
    let (ends, end) = AsyncStream.makeStream(of: Bool.self)
    writer.onTermination = { reason in
      if case .cancelled = reason { end.yield(true) }
    }
    let hosted = try HostedRoutes { $0.get("/parts") { _ in Response(stream: parts) } }
    do {
      let client = try hosted.connect()
      client.request("GET /parts")
      #expect(try await client.head()?.status == 200)
    }
    #expect(await ends.first { _ in true } == true)
    await hosted.service.stop()
  }
}
