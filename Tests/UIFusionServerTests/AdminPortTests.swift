import Foundation
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

  private func status(_ request: String, on port: Int) async throws -> Int? {
    try await WaitingClient.ask(port, request)?.status
  }

  /// Returns the exit code of a health check.
  private func health(_ flags: String...) async throws -> Int32 {
    try await onThread { try run(executable.path, ["health"] + flags).status }
  }

  @Test func `serves health and metrics, and nothing else`() async throws {
    let (service, admin) = try service()
    for path in ["/healthz", "/readyz", "/metrics"] {
      #expect(try await status("GET \(path)", on: admin) == 200)
      #expect(try await status("GET \(path)", on: service.port) == 200)
    }
    for request in ["GET /", "GET /view-models", "POST /sessions", "GET /openapi.json"] {
      #expect(try await status(request, on: admin) == 404)
    }
    await service.stop()
  }

  @Test func `answers only Hosts that name this machine, even beside a Unix socket`() async throws {
    let place = try SocketPlace()
    let (service, admin) = try service { $0.socket = place.path }
    let client = try WaitingClient(admin)
    try await client.send("GET /metrics HTTP/1.1\r\nHost: a.example\r\n\r\n")
    #expect(try await client.response()?.status == 421)
    await service.stop()
  }

  @Test func `answers while the service has no connection left`() async throws {
    let (service, admin) = try service { $0.maxConnections = 2 }
    let clients = try (0..<2).map { _ in try WaitingClient(service.port) }
    for client in clients { #expect(try await client.ask("GET /healthz")?.status == 200) }
    #expect(try await status("GET /healthz", on: service.port) == 503)
    #expect(try await status("GET /healthz", on: admin) == 200)
    #expect(try await status("GET /readyz", on: admin) == 200)
    #expect(try await health("--port", "\(service.port)") == 1)
    #expect(try await health("--admin-port", "\(admin)") == 0)
    #expect(try await health("--socket", "/nowhere/http.sock", "--admin-port", "\(admin)") == 0)
    await service.stop()
  }

  @Test func `reports that the service is not ready while it stops`() async throws {
    let (service, admin) = try service { $0.drain = .seconds(50) }
    let client = try WaitingClient(service.port)
    let session = try await client.ask(
      "POST /sessions",
      json,
      body: #"{"viewModel":"counter-sync"}"#
    )
    let path = try #require(session?["Location"])
    // A stop waits for the rest of this request, once it has begun.
    client.request("POST \(path)/inputs", json + "Content-Length: 1\r\nExpect: 100-continue\r\n")
    #expect(try await client.head()?.status == 100)
    async let stop: Void = service.stop()
    var ready: Int? = 200
    while ready == 200 { ready = try await status("GET /readyz", on: admin) }
    #expect(ready == 503)
    #expect(try await status("GET /healthz", on: admin) == 200)
    try await client.send("1")
    await stop
    #expect(throws: (any Error).self) { try WaitingClient(admin) }
  }
}
