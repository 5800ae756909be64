import Dispatch
import FusionHTTPMessages
import FusionMicrohttpdServer
import FusionRawHTTP
import Synchronization
import Testing

extension `A server` {
  struct `with many pending requests` {
    /// The library asks the kernel for 128 events at a time, and must not wait for more if it gets just 128.
    @Test(arguments: [1, 2], [64, 127, 128, 129, 256, 384, 512])
    func `answers all of them without another event`(threads: Int, count: Int) async throws {
      let gate = DispatchSemaphore(value: 0)
      let gateReached = Signal()
      let waiting = Mutex<[any HTTPResponder]>([])
      let allWait = Signal()
      try await serving(
        { $0.threads = threads },
        handler: { request, respond in
          switch request.target.path {
          case "/gate":
            gateReached.set()
            gate.wait()
            respond(HTTPResponse(204))
          case "/wait":
            let number = waiting.withLock { waiting in
              waiting.append(respond)
              return waiting.count
            }
            if number == count { allWait.set() }
          default: respond(HTTPResponse(204))
          }
        }
      ) { server in
        let gates = try (0..<threads).map { _ in try RawClient(server.port) }
        let clients = try (0..<count).map { _ in try RawClient(server.port) }
        for client in gates + clients {
          client.request("GET /")
          #expect(try client.response()?.status == 204)
        }
        // The gates block all threads of the server until every client has sent its request.
        for client in gates { client.request("GET /gate") }
        try gateReached.wait()
        for client in clients { client.request("GET /wait") }
        for _ in gates { gate.signal() }
        try allWait.wait()
        for respond in waiting.withLock({ $0 }) { respond(HTTPResponse(200)) }
        for client in clients { #expect(try client.response()?.status == 200) }
        for client in gates { #expect(try client.response()?.status == 204) }
      }
    }
  }
}
