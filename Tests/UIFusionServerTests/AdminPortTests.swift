import FusionExampleViewModels
import FusionRawHTTP
import Testing

@testable import UIFusionServer

@Suite(.serialized, .timeLimit(.minutes(5)))
struct `The admin port` {
  private func service(
    _ configure: (inout Configuration) -> Void = { _ in }
  ) throws -> (service: Service, admin: Int) {
    var catalog = ViewModelCatalog()
    catalog.host("counter-sync", summary: "Counts") { _ in CounterSyncViewModel() }
    var configuration = Configuration()
    configuration.port = 0
    configuration.adminPort = 0
    configuration.data = .memory
    configuration.logLevel = .error
    configure(&configuration)
    let service = try Service(catalog, configuration)
    return (service, try #require(service.adminPort))
  }

  private func status(_ request: String, _ fields: String = "", on port: Int) throws -> Int? {
    let client = try RawClient(port)
    client.request(request, fields)
    return try client.response()?.status
  }

  @Test func `serves health and metrics, and nothing else`() async throws {
    let (service, admin) = try service()
    for path in ["/healthz", "/readyz", "/metrics"] {
      #expect(try status("GET \(path)", on: admin) == 200)
      #expect(try status("GET \(path)", on: service.port) == 200)
    }
    for request in ["GET /", "GET /view-models", "POST /sessions", "GET /openapi.json"] {
      #expect(try status(request, on: admin) == 404)
    }
    await service.stop()
  }

  @Test func `answers only Hosts that name this machine, even beside a Unix socket`() async throws {
    let place = try SocketPlace()
    let (service, admin) = try service { $0.socket = place.path }
    let client = try RawClient(admin)
    client.send("GET /metrics HTTP/1.1\r\nHost: a.example\r\n\r\n")
    #expect(try client.response()?.status == 421)
    await service.stop()
  }

  @Test func `answers while the service has no connection left`() async throws {
    let (service, admin) = try service { $0.maxConnections = 2 }
    let clients = try (0..<2).map { _ in try RawClient(service.port) }
    for client in clients {
      client.request("GET /healthz")
      #expect(try client.response()?.status == 200)
    }
    #expect(try status("GET /healthz", on: service.port) == 503)
    #expect(try status("GET /healthz", on: admin) == 200)
    #expect(try status("GET /readyz", on: admin) == 200)
    #expect(try run("health", "--port", "\(service.port)").status == 1)
    #expect(try run("health", "--admin-port", "\(admin)").status == 0)
    let both = try run("health", "--socket", "/nowhere/http.sock", "--admin-port", "\(admin)")
    #expect(both.status == 0)
    await service.stop()
  }

  @Test func `reports that the service is not ready while it stops`() async throws {
    let (service, admin) = try service { $0.drain = .seconds(50) }
    let session = try RawClient(service.port)
    session.request(
      "POST /sessions",
      "Content-Type: application/json\r\n",
      body: #"{"viewModel":"counter-sync"}"#
    )
    let path = try #require(try session.response()?["Location"])
    // A stop waits for the rest of this request.
    session.send("POST \(path)/inputs HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\n")
    session.send("Content-Type: application/json\r\n\r\n")
    async let stop: Void = service.stop()
    var ready: Int? = 200
    for _ in 0..<10_000 where ready == 200 {
      // The request blocks this thread, which the stop may need.
      await Task.yield()
      ready = try status("GET /readyz", on: admin)
    }
    #expect(ready == 503)
    #expect(try status("GET /healthz", on: admin) == 200)
    session.send("1")
    await stop
    #expect(throws: (any Error).self) { try RawClient(admin) }
  }
}
