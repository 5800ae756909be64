import FusionHTTPMessages
import FusionRawHTTP
import Testing

@testable import FusionMicrohttpdServer

extension `A server` {
  struct `starting` {
    private func reason(_ host: String, _ port: Int) -> StartError? {
      do throws(StartError) {
        _ = try MicrohttpdServer(.init(host: host, port: port), handler: echo)
        return nil
      } catch {
        return error
      }
    }

    @Test func `says which port is taken`() async throws {
      try await serving { server in
        let error = reason("127.0.0.1", server.port)
        #expect(error?.description.hasPrefix("127.0.0.1:\(server.port) is taken: ") == true)
      }
    }

    @Test(arguments: [
      ("nowhere", 0, "nowhere:0 is not an address to listen on."),
      ("192.0.2.1", 0, "192.0.2.1:0 is not an address of this machine."),
      ("[127.0.0.1]", 0, "[127.0.0.1]:0 is not an address to listen on."),
      ("127.0.0.1", 65_536, "127.0.0.1:65536 has no valid port."),
      ("::g", 0, "[::g]:0 is not an address to listen on."),
    ])
    func `says what is wrong with an address`(host: String, port: Int, start: String) {
      #expect(reason(host, port)?.description.hasPrefix(start) == true)
    }

    @Test(arguments: [
      (98, "is taken: "), (99, "is not an address of this machine."),
      (13, "may not be listened on by this user."),
      (24, "cannot be listened on: Too many open files."),
    ])
    func `describes the system's error number`(number: Int32, start: String) {
      #expect(StartError("a:1", errno: number).description.hasPrefix("a:1 " + start))
    }

    @Test(arguments: ["localhost", "127.0.0.1", "0.0.0.0", "::"])
    func `listens on a host's name or address`(_ host: String) async throws {
      try await serving({ $0.host = host }) { server in
        let client = try RawClient(server.port)
        client.request("GET /")
        #expect(try client.response()?.status == 200)
      }
    }

    @Test(arguments: [1, 2, 3]) func `serves with any number of threads`(_ threads: Int)
      async throws
    {
      try await serving({ $0.threads = threads }) { server in
        let client = try RawClient(server.port)
        client.request("GET /")
        #expect(try client.response()?.status == 200)
        #expect(server.connections == 1)
      }
    }

    @Test func `spreads connections over its threads`() async throws {
      try await serving { server in
        let clients = try (0..<64).map { _ in try RawClient(server.port) }
        for client in clients {
          client.request("GET /")
          #expect(try client.response()?.status == 200)
        }
        let loads = server.connectionsByThread
        #expect(loads.count == 2 && loads.reduce(0, +) == 64)
        #expect(loads.allSatisfy { 24...40 ~= $0 })
      }
    }

    @Test func `frees its port if it is released without a stop`() throws {
      var server: MicrohttpdServer? = try MicrohttpdServer(.init(port: 0), handler: echo)
      let client = try RawClient(server?.port ?? 0)
      client.request("GET /")
      #expect(try client.response()?.status == 200)
      server = nil
      #expect(try client.byte() == nil)
    }
  }
}
