import Foundation
import FusionHTTPMessages
import FusionRawHTTP
import Synchronization
import Testing

@testable import FusionMicrohttpdServer

extension `A server` {
  struct `under stress` {
    @Test(arguments: StreamWriter.allCases)
    func `opens and closes every stream once, in any order of events`(by writer: StreamWriter)
      async throws
    {
      let streams = Mutex<[ScriptedStream]>([])
      let failures = Mutex<[String]>([])
      var configuration = MicrohttpdServer.Configuration(port: 0)
      configuration.threads = 3
      configuration.takesOverStreams = writer == .loop
      let server = try MicrohttpdServer(configuration) { request, respond in
        guard request.method == .get else { return respond(HTTPResponse(204)) }
        let stream = ScriptedStream([text("hello")])
        streams.withLock { $0.append(stream) }
        if request.target.path == "/later" {
          Thread.detachNewThread { respond(HTTPResponse(200, body: .stream(stream))) }
        } else {
          respond(HTTPResponse(200, body: .stream(stream)))
        }
      }
      let isDone = Signal()
      // Wakes random streams, ended ones included, from threads of its own.
      async let wakers: Void = onThreads(2) { seed in
        var random = SplitMix(UInt64(seed))
        while isDone.times == 0 {
          let some = streams.withLock { all in
            (0..<20).compactMap { _ in all.randomElement(using: &random) }
          }
          for stream in some { stream.say(random.next() % 50 == 0 ? .finished : text("more")) }
        }
      }
      await onThreads(4) { seed in
        do {
          var random = SplitMix(UInt64(seed) + 100)
          var open: [RawClient] = []
          for _ in 0..<1000 {
            let client = try RawClient(server.port)
            client.request(random.next() % 2 == 0 ? "GET /" : "GET /later")
            open.append(client)
            // Clients close before their response, in the middle of it, or much later.
            if open.count > 100 { open.remove(at: Int(random.next() % 100)) }
            if random.next() % 4 == 0, let client = open.randomElement(using: &random) {
              if try client.byte() == nil { open.removeAll { $0 === client } }
            }
          }
        } catch {
          failures.withLock { $0.append("\(error)") }
        }
      }
      // The server stops while its open streams are still woken.
      await server.stop(within: .milliseconds(500))
      isDone.set()
      await wakers
      #expect(failures.withLock { $0 } == [])
      let all = streams.withLock { $0 }
      #expect(all.count > 1000)
      #expect(all.allSatisfy { $0.opened.times == $0.ended.times && $0.ended.times <= 1 })
      #expect(server.connections == 0)
    }

    @Test func `stops while requests keep arriving`() async throws {
      for round in 0..<20 {
        let server = try MicrohttpdServer(.init(port: 0)) { request, respond in
          if round % 2 == 0 {
            respond(HTTPResponse(200, json: request.body))
          } else {
            Thread.detachNewThread { respond(HTTPResponse(200, json: request.body)) }
          }
        }
        let rain = Signal()
        async let clients: Void = onThreads(4) { _ in
          while let client = try? RawClient(server.port) {
            for _ in 0..<50 {
              client.request("POST /", body: "abc")
              guard let response = try? client.response(), response.status == 200 else { break }
              rain.set()
            }
          }
        }
        try rain.wait(for: 100)
        await server.stop(within: .seconds(2))
        await clients
      }
    }
  }
}

/// Runs `body` on a number of threads, each of which it may block.
private func onThreads(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) async {
  await withTaskGroup { group in
    for index in 0..<count {
      group.addTask {
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
          DispatchQueue(label: "stress").async {
            body(index)
            continuation.resume()
          }
        }
      }
    }
  }
}

/// A seeded generator, which makes runs repeatable but for the scheduling of threads.
private struct SplitMix: RandomNumberGenerator {
  private var state: UInt64
  init(_ seed: UInt64) { state = seed }
  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var word = state
    word = (word ^ (word >> 30)) &* 0xbf58_476d_1ce4_e5b9
    word = (word ^ (word >> 27)) &* 0x94d0_49bb_1331_11eb
    return word ^ (word >> 31)
  }
}
