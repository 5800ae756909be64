import FusionHTTPMessages
import FusionRawHTTP
import Testing

@testable import FusionMicrohttpdServer

extension `A server` {
  struct `that starts` {
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
        #expect(error?.reason == .portTaken)
        #expect(error?.description.contains("127.0.0.1:\(server.port)") == true)
      }
    }

    @Test func `says what is wrong with an address`() {
      #expect(reason("nowhere", 0)?.reason == .addressNotValid)
      #expect(reason("192.0.2.1", 0)?.reason == .addressNotLocal)
      #expect(reason("127.0.0.1", 65_536)?.reason == .portNotValid)
      #expect(reason("::g", 0)?.address == "[::g]:0")
    }

    @Test func `turns the system's number into a reason`() {
      #expect(StartError(errno: 98, "a:1").reason == .portTaken)
      #expect(StartError(errno: 99, "a:1").reason == .addressNotLocal)
      #expect(StartError(errno: 13, "a:1").reason == .permission)
      #expect(StartError(errno: 24, "a:1").reason == .other("Too many open files"))
    }

    @Test(arguments: ["localhost", "127.0.0.1", "0.0.0.0", "::"])
    func `listens on`(_ host: String) async throws {
      try await serving({ $0.host = host }) { server in
        let client = try RawClient(server.port)
        client.request("GET /")
        #expect(try client.response()?.status == 200)
      }
    }

    @Test(arguments: [1, 2, 3]) func `serves with threads`(_ threads: Int) async throws {
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

    @Test func `and is never stopped frees its port all the same`() throws {
      var server: MicrohttpdServer? = try MicrohttpdServer(.init(port: 0), handler: echo)
      let client = try RawClient(server?.port ?? 0)
      client.request("GET /")
      #expect(try client.response()?.status == 200)
      server = nil
      #expect(try client.byte() == nil)
    }
  }
}
