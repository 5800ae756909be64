import Foundation
import FusionDoctor
import FusionHTTPMessages
import FusionStrictJSON
import Synchronization
import Testing
import UIFusionKit
import UIFusionServer

@testable import UIFusionTools

@Suite(.timeLimit(.minutes(5))) struct `A run of a scenario` {
  @Test func `passes if each State comes`() async throws {
    let results = try await run(
      #"{"create": "sums"}"#,
      #"{"expect": {"sum": 0}}"#,
      #"{"send": {"add": 2}}"#,
      #"{"state": {"sum": 2, "told": {"value": null, "pulse": 0}}}"#,
      #"{"send": [{"add": 3}, {"add": 4}]}"#,
      #"{"expect": {"sum": 9}}"#,
      #"{"send": "tell"}"#,
      #"{"pulse": "told", "is": 9}"#,
      #"{"reconnect": true}"#,
      #"{"send": "later"}"#,
      #"{"expect": {"sum": 10}}"#,
      #"{"settled": true}"#,
      #"{"send": "nothing", "refused": "invalid-input"}"#
    )
    #expect(results.map(\.failure) == Array(repeating: nil, count: 13))
  }

  @Test(arguments: [
    (#"{"send": {"add": 1}}"#, #"{"expect": {"sum": 2}}"#, "  sum: 2 → 1"),
    (
      #"{"send": {"add": 1}}"#, #"{"state": {"sum": 1}}"#,
      #"  told: nothing → {"value":null,"pulse":0}"#
    ),
    (
      #"{"send": {"add": 1}}"#, #"{"pulse": "told"}"#,
      #"the Pulse was not assigned; it is {"value":null,"pulse":0}"#
    ),
    (
      #"{"send": "tell"}"#, #"{"pulse": "told", "is": 1}"#,
      #"the Pulse was not assigned; it is {"value":0,"pulse":1}"#
    ),
    (#"{"send": "tell"}"#, #"{"pulse": "sum"}"#, "sum is no Pulse: 0"),
    (#"{"send": "tell"}"#, #"{"pulse": "tld"}"#, "State has no member tld"),
    (#"{"send": {"add": 1}}"#, #"{"restart": true}"#, "say how: --restart COMMAND"),
    (#"{"send": {"add": 1}}"#, #"{"send": "nothing"}"#, "422: invalid-input: "),
    (
      #"{"send": {"add": 1}}"#, #"{"send": "tell", "refused": "invalid-input"}"#,
      "answered with 200"
    ),
    (#"{"send": "work"}"#, #"{"settled": true}"#, "the session still has work"),
  ])
  func `ends with the first step that fails, and says why`(
    _ first: String,
    _ second: String,
    _ reason: String
  ) async throws {
    let results = try await run(
      #"{"create": "sums"}"#,
      first,
      second,
      #"{"settled": true}"#,
      limit: .milliseconds(300)
    )
    #expect(results.count == 3)
    let lines = results.last?.failure ?? []
    #expect(lines.contains { $0.hasPrefix(reason) }, "\(lines)")
  }

  @Test func `does not take a State from before the Input for what follows it`() async throws {
    let results = try await run(
      #"{"create": "sums"}"#,
      #"{"send": {"add": 1}}"#,
      #"{"send": {"add": 1}}"#,
      #"{"expect": {"sum": 1}}"#,
      limit: .milliseconds(300)
    )
    #expect(results.last?.failure?.last == "  sum: 1 → 2")
  }

  @Test func `does not take a State that came unread before the Input`() async throws {
    let results = try await run(
      #"{"create": "sums"}"#,
      #"{"send": "later"}"#,
      #"{"advance": 0.3}"#,
      #"{"settled": true}"#,
      #"{"send": {"add": 1}}"#,
      #"{"expect": {"sum": 1}}"#,
      limit: .milliseconds(300)
    )
    #expect(results.last?.failure?.last == "  sum: 1 → 2")
  }

  @Test func `does not take a State from before a new stream`() async throws {
    let results = try await run(
      #"{"create": "sums"}"#,
      #"{"send": [{"add": 1}, {"add": 1}]}"#,
      #"{"reconnect": true}"#,
      #"{"expect": {"sum": 1}}"#,
      limit: .milliseconds(300)
    )
    #expect(results.last?.failure?.last == "  sum: 1 → 2")
  }

  @Test func `does not take a Pulse from before the Input for one that follows it`() async throws {
    let results = try await run(
      #"{"create": "sums"}"#,
      #"{"send": "tell"}"#,
      #"{"pulse": "told"}"#,
      #"{"send": {"add": 1}}"#,
      #"{"pulse": "told"}"#,
      limit: .milliseconds(300)
    )
    #expect(results.count == 5 && results[2].failure == nil)
    let reason = #"the Pulse was not assigned; it is {"value":0,"pulse":1}"#
    #expect(results.last?.failure == [reason])
  }

  @Test func `has one session, which it deletes`() async throws {
    let service = try service()
    let id = try await run(service, #"{"create": "sums"}"#) { _ in }
    let found = try await ask(service, "/sessions/\(#require(id))")
    #expect(found.status == 410)
    await service.stop()
  }

  @Test func `leaves a session that it found by its name`() async throws {
    let service = try service()
    let steps = [#"{"create": "sums", "name": "one"}"#, #"{"send": {"add": 1}}"#]
    var kept = try run(service, steps)
    kept.keepsSession = true
    let id = await kept { _ in }
    let other = try run(service, steps)
    await other { _ in }
    let found = try await ask(service, "/sessions/\(#require(id))")
    #expect(found.json?["state"]?["sum"] == 2)
    await service.stop()
  }

  @Test func `comes out the same if it is recorded and run again`() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let service = try service(.folder(folder))
    var first = try run(
      service,
      [
        #"{"create": "sums"}"#, #"{"send": {"add": 1}}"#, #"{"send": "tell"}"#,
        #"{"settled": true}"#,
      ]
    )
    first.keepsSession = true
    let id = try #require(await first { _ in })
    let scenario = try await RecordedScenario(id, as: nil, first.service)
    #expect(
      scenario.text == """
        {"create":"sums"}
        {"state":{"sum":0,"told":{"value":null,"pulse":0}}}
        {"send":{"add":1}}
        {"state":{"sum":1,"told":{"value":null,"pulse":0}}}
        {"send":"tell"}
        {"state":{"sum":1,"told":{"value":1,"pulse":1}}}

        """
    )
    let again = try run(service, scenario.text.split(separator: "\n").map(String.init))
    await again { #expect($0.failure == nil) }
    await service.stop()
  }

  @Test func `is repeated as a load, which counts each Input and each failure`() async throws {
    let service = try service()
    let good = try run(
      service,
      [#"{"create": "sums"}"#, #"{"send": {"add": 1}}"#, #"{"expect": {"sum": 1}}"#]
    )
    let load = LoadRun(run: good, rate: 100, duration: .milliseconds(500), sessions: 4)
    let report = await load()
    #expect(report.failures.isEmpty && report.latencies.count <= report.wanted)
    #expect(report.wanted == 50)
    let bad = try run(service, [#"{"create": "nothing"}"#])
    let failed = await LoadRun(run: bad, rate: 10, duration: .milliseconds(500), sessions: 1)()
    #expect(failed.failures.count >= 1 && failed.latencies.isEmpty)
    await service.stop()
  }

  // MARK: A service

  private func service(_ data: SessionStorage = .memory) throws -> Service {
    var catalog = ViewModelCatalog()
    catalog.host("sums", summary: "Adds numbers") { Sums($0.time) }
    var configuration = Configuration()
    (configuration.port, configuration.data, configuration.logLevel) = (0, data, .error)
    configuration.inspect = true
    return try Service(catalog, configuration)
  }

  private func run(
    _ service: Service,
    _ lines: [String],
    limit: Duration = .seconds(60)
  ) throws -> ScenarioRun {
    let url = try #require(ServiceURL("http://127.0.0.1:\(service.port)"))
    let target = try #require(ScenarioService(url, time: .system))
    let file = try ScenarioFile(Array(lines.joined(separator: "\n").utf8))
    var run = ScenarioRun(steps: file.steps, service: target)
    run.limit = limit
    return run
  }

  private func run(
    _ service: Service,
    _ lines: String...,
    report: (ScenarioRun.Result) -> Void
  ) async throws -> String? {
    let run = try run(service, lines)
    return await run(report)
  }

  private func run(_ lines: String..., limit: Duration = .seconds(60)) async throws
    -> [ScenarioRun.Result]
  {
    let service = try service()
    var results: [ScenarioRun.Result] = []
    let run = try run(service, lines, limit: limit)
    await run { results.append($0) }
    await service.stop()
    return results
  }

  private func ask(_ service: Service, _ path: String) async throws -> ScenarioService.Answer {
    let url = try #require(ServiceURL("http://127.0.0.1:\(service.port)"))
    let target = try #require(ScenarioService(url, time: .system))
    return try await target.ask(.get, path, as: nil, until: target.time.now + .seconds(60))
  }
}

/// A sum of numbers.
private final class Sums: AsyncViewModel {
  enum Input: Codable, Sendable { case add(Int), tell, later, work }
  typealias Action = Input
  struct State: Codable, Equatable, Sendable {
    var sum = 0
    @Pulse var told: Int?
  }

  var state = State()
  let time: any TimeSource

  init(_ time: any TimeSource) {
    self.time = time
  }

  func transform(_ input: Input) async -> [Action] { [input] }

  func perform(_ action: Action) async throws {
    switch action {
    case .add(let number): state.sum += number
    case .tell: state.told = state.sum
    case .later:
      try await time.sleep(for: .milliseconds(20))
      state.sum += 1
    case .work: try await time.sleep(for: .seconds(3600))
    }
  }

  func handleError(_ error: SendableError) async {}
}
