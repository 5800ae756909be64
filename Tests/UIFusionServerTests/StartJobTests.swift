import Foundation
import FusionRawHTTP
import Synchronization
import Testing
import UIFusionKit
import UIFusionServer
import UIFusionTesting

/// Over sockets.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct `What must exist at the start` {
  private let clock = TestClock()
  private let pages = TemporaryFolder()

  init() throws {
    try FileManager.default.createDirectory(atPath: pages.path, withIntermediateDirectories: true)
  }

  private func service(
    _ data: SessionStorage = .memory,
    drainDelay: Duration = .zero,
    _ add: (inout ViewModelCatalog) -> Void
  ) throws -> Service {
    var configuration = Configuration()
    configuration.port = 0
    configuration.data = data
    configuration.drainDelay = drainDelay
    configuration.publicFolder = pages.path
    configuration.logLevel = .error
    var catalog = ViewModelCatalog()
    catalog.host("tally", summary: "Counts", parameters: Tally.Parameters.self) { given, _ in
      Tally(given)
    }
    add(&catalog)
    var dependencies = Dependencies(time: clock)
    dependencies.executor = QueueExecutor()
    return try Service(catalog, configuration, dependencies: dependencies)
  }

  private func ask(
    _ service: Service,
    _ line: String,
    body: String = ""
  ) async throws -> RawClient.Response {
    let fields = body.isEmpty ? "" : json
    return try #require(try await WaitingClient.ask(service.port, line, fields, body: body))
  }

  private let house = #"{"viewModel":"tally","name":"house","scope":"shared"}"#

  @Test func `is there before the first request is answered, and is made once`() async throws {
    let folder = TemporaryFolder()
    let (signal, go) = AsyncStream.makeStream(of: Void.self)
    for start in 1...2 {
      let service = try service(.folder(folder.path)) { catalog in
        catalog.atStart { sessions in
          for await _ in signal { break }
          let house = try await sessions.create("tally", name: "house", shared: true)
          try await sessions.send(["add": 1], to: house.id)
        }
      }
      // Asked for before it is there; pages and health do not wait.
      let waiting = try WaitingClient(service.port)
      waiting.request("POST /sessions", json, body: house)
      #expect(try await ask(service, "GET /readyz").status == 503)
      #expect(try await ask(service, "GET /healthz").status == 200)
      go.yield()
      let found = try #require(try await waiting.response())
      #expect(found.status == 200)
      #expect(found.text.contains(#""sum":\#(start)"#), "\(found.text)")
      while try await ask(service, "GET /readyz").status != 200 {}
      await service.stop()
    }
  }

  @Test func `is there before the program's own calls are answered`() async throws {
    let (signal, go) = AsyncStream.makeStream(of: Void.self)
    let service = try service { catalog in
      catalog.atStart { sessions in
        for await _ in signal { break }
        _ = try await sessions.create("tally", name: "house", shared: true)
      }
    }
    let (program, eve) = (service.sessions, Identity(id: "eve"))
    let found = Task { try await program.find("tally", name: "house", shared: true) }
    let made = Task {
      try await program.acting(as: eve).create("tally", name: "house", shared: true)
    }
    #expect(try await ask(service, "GET /readyz").status == 503)
    go.yield()
    let house = try await made.value
    #expect(try await found.value?.id == house.id)
    // It is the program's, not eve's.
    let error = await #expect(throws: HTTPError.self) {
      try await program.acting(as: eve).delete(house.id)
    }
    #expect(error?.status == 403)
    await service.stop()
  }

  @Test func `may be made by the service's own sessions`() async throws {
    let (started, give) = AsyncStream.makeStream(of: HostedSessions.self)
    let service = try service { catalog in
      catalog.atStart { _ in
        for await sessions in started {
          _ = try await sessions.create("tally", name: "house", shared: true)
          break
        }
      }
    }
    give.yield(service.sessions)
    #expect(try await service.sessions.find("tally", name: "house", shared: true) != nil)
    await service.stop()
  }

  @Test func `is tried again until it is there, and who waits is told`() async throws {
    let (signal, go) = AsyncStream.makeStream(of: Void.self)
    let tries = Mutex(0)
    let service = try service { catalog in
      catalog.atStart { sessions in
        if tries.withLock(\.self) == 0 { for await _ in signal { break } }
        if tries.withLock({
          $0 += 1; return $0
        }) < 3 {
          throw CocoaError(.fileNoSuchFile)
        }
        _ = try await sessions.create("tally", name: "house", shared: true)
      }
    }
    let waiting = try WaitingClient(service.port)
    waiting.request("POST /sessions", json, body: house)
    #expect(try await ask(service, "GET /readyz").status == 503)
    go.yield()
    let refused = try #require(try await waiting.response())
    #expect(refused.status == 503 && refused.text.contains("/problems/starting"))
    let next = try WaitingClient(service.port)
    next.request("POST /sessions", json, body: house)
    let found = Task { try await next.response() }
    while tries.withLock(\.self) < 3 {
      await clock.advance(by: .seconds(1))
      _ = try await ask(service, "GET /healthz")
    }
    // Refused once more, or let through by the third attempt.
    #expect([200, 503].contains(try await found.value?.status))
    while try await ask(service, "GET /readyz").status != 200 {}
    #expect(try await ask(service, "POST /sessions", body: house).status == 200)
    await service.stop()
  }

  @Test func `does not hold up the service's stop, nor requests meanwhile`() async throws {
    let service = try service(drainDelay: .seconds(5)) { catalog in
      catalog.atStart { _ in try await Task.sleep(for: .seconds(86_400)) }
    }
    let waiting = try WaitingClient(service.port)
    waiting.request("POST /sessions", json, body: house)
    #expect(try await ask(service, "GET /readyz").status == 503)
    async let stop: Void = service.stop()
    #expect(try await waiting.response()?.status == 503)
    let late = try await ask(service, "POST /sessions", body: house)
    #expect(late.status == 503 && late.text.contains("/problems/draining"))
    await clock.advance(by: .seconds(5))
    await stop
  }
}
