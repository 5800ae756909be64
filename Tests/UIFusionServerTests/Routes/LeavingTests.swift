import Dispatch
import FusionRawHTTP
import Testing
import UIFusionServer

/// An event that one task awaits and another signals, any number of times.
private struct Event: Sendable {
  private let stream = AsyncStream.makeStream(of: Void.self)

  func happen() { stream.continuation.yield() }

  /// Returns also when the task is cancelled.
  func wait() async { for await _ in stream.stream { break } }
}

/// A client that closes its connection, or only its sending side, before the answer; over sockets.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct `A client that disconnects` {
  private let begun = Event()
  private let gate = Event()
  private let cancelled = Event()

  /// A handler that waits for its cancellation.
  private var wait: RouteHandler {
    { [begun, cancelled] request in
      for try await _ in request.stream {}
      begun.happen()
      await Event().wait()
      cancelled.happen()
      return Response(text: "late")
    }
  }

  /// Returns once the service has checked all clients again.
  private func lookAtAll(_ hosted: HostedRoutes) async throws {
    let client = try hosted.connect()
    client.request("GET /wait")
    await begun.wait()
    client.raw.finishSending()
    await cancelled.wait()
  }

  @Test(arguments: ["GET", "PUT"], [false, true])
  func `cancels the route's handler, even within middleware`(
    method: String,
    isWithinMiddleware: Bool
  ) async throws {
    let hosted = try HostedRoutes { routes in
      if isWithinMiddleware { routes.add { request, next in try await next(request) } }
      routes.get("/wait", nil, wait)
      routes.put("/wait", nil, body: .streamed(upTo: 1_000), wait)
    }
    do {
      let client = try hosted.connect()
      client.request("\(method) /wait", body: method == "PUT" ? "read" : "")
      await begun.wait()
    }
    await cancelled.wait()
    await hosted.service.stop()
  }

  @Test(arguments: [false, true])
  func `still gets the answer if it closes only its sending side`(
    isWithinMiddleware: Bool
  ) async throws {
    let hosted = try HostedRoutes { routes in
      if isWithinMiddleware { routes.add { request, next in try await next(request) } }
      routes.get("/wait", nil, wait)
    }
    let client = try hosted.connect()
    client.request("GET /wait")
    await begun.wait()
    client.raw.finishSending()
    #expect(try await client.response()?.text == "late")
    await hosted.service.stop()
  }

  @Test(arguments: [20, 200_000], [false, true])
  func `cancels nothing while its received body is unread`(
    count: Int,
    isBegun: Bool
  ) async throws {
    let hosted = try HostedRoutes { routes in
      routes.get("/wait", nil, wait)
      routes.put("/upload", nil, body: .streamed(upTo: count)) { [begun, gate] request in
        var sum = 0
        if isBegun {
          for try await part in request.stream {
            sum += part.count
            break
          }
        }
        begun.happen()
        await gate.wait()
        let isCancelled = Task.isCancelled
        for try await part in request.stream { sum += part.count }
        return Response(text: "\(sum) \(isCancelled)")
      }
    }
    let client = try hosted.connect()
    let half = String(repeating: "x", count: count / 2)
    try await client.send(
      "PUT /upload HTTP/1.1\r\nHost: localhost\r\nContent-Length: \(count)\r\n\r\n" + half
    )
    await begun.wait()
    try await client.send(half)
    client.raw.finishSending()
    try await lookAtAll(hosted)
    gate.happen()
    let text = try await client.response()?.text
    #expect(text == "\(count) false")
    await hosted.service.stop()
  }

  @Test func `does not turn an applied Input into a refusal, even if middleware waits`()
    async throws
  {
    let hosted = try HostedRoutes { routes in
      routes.add { [begun, gate] request, next in
        let response = try await next(request)
        guard request.method == "POST" else { return response }
        begun.happen()
        await gate.wait()
        try Task.checkCancellation()
        return response
      }
      routes.get("/wait", nil, wait)
    }
    let id = try await hosted.service.sessions.create("tally").id
    let client = try hosted.connect()
    client.request("POST /sessions/\(id)/inputs", json, body: #"{"add":1}"#)
    await begun.wait()
    client.raw.finishSending()
    try await lookAtAll(hosted)
    gate.happen()
    let answer = try await client.response()
    #expect(answer?.status == 200, "\(answer?.text ?? "")")
    await hosted.service.stop()
  }

  @Test(arguments: [true, false])
  func `turns only the error of its cancellation into a problem of the client`(
    isOfCancellation: Bool
  ) async throws {
    struct Failure: Error {}
    let hosted = try HostedRoutes { routes in
      routes.get("/wait") { [begun] _ -> Response in
        begun.happen()
        await Event().wait()
        if isOfCancellation { try Task.checkCancellation() }
        throw Failure()
      }
    }
    let client = try hosted.connect()
    client.request("GET /wait")
    await begun.wait()
    client.raw.finishSending()
    #expect(try await client.response()?.status == (isOfCancellation ? 400 : 500))
    await hosted.service.stop()
  }

  @Test func `is noticed while another handler's cancellation takes time`() async throws {
    let other = DispatchSemaphore(value: 0)
    let hosted = try HostedRoutes { routes in
      routes.get("/slow") { [begun, cancelled] _ in
        await withTaskCancellationHandler {
          begun.happen()
          await Event().wait()
        } onCancel: {
          #expect(other.wait(timeout: .now() + 20) == .success)
          cancelled.happen()
        }
        return Response(204)
      }
      routes.get("/other") { [begun] _ in
        begun.happen()
        await Event().wait()
        other.signal()
        return Response(204)
      }
    }
    for path in ["/slow", "/other"] {
      let client = try hosted.connect()
      client.request("GET \(path)")
      await begun.wait()
    }
    await cancelled.wait()
    await hosted.service.stop()
  }
}
