import FusionMetrics
import FusionSessions
import Synchronization
import Testing
import UIFusionKit

@testable import UIFusionServer

/// A turn that takes long by the injected clock, which only the view models of this test move.
struct `A turn that takes long` {
  private let time = WorkTime()
  private let lines = Lines()

  /// A clock that stands still but for the work of view models.
  private final class WorkTime: TimeSource {
    private let passed = Mutex(Duration.zero)

    var now: Duration { passed.withLock { $0 } }

    func work(_ seconds: Double) { passed.withLock { $0 += .seconds(seconds) } }

    nonisolated(nonsending) func sleep(until deadline: Duration) async throws {
      try await Task.sleep(for: .seconds(60))
    }
  }

  private enum Work: Codable, Sendable { case at(once: Double), then(Double), idle }

  private struct Reducing: ReducerViewModel {
    typealias Input = Work
    enum Action: Codable, Sendable { case work(Double), send(Double) }
    var state = 0
    let time: WorkTime

    func transform(_ input: Work) -> [Action] {
      switch input {
      case .at(let seconds): [.work(seconds)]
      case .then(let seconds): [.send(seconds)]
      case .idle: []
      }
    }

    func reduce(state: inout Int, action: Action) -> [AsyncEffect<Action>] {
      state += 1
      if case .send(let seconds) = action { return [.action(.work(seconds))] }
      if case .work(let seconds) = action { time.work(seconds) }
      return []
    }
  }

  private final class Asynchronous: AsyncViewModel {
    typealias Input = Work
    typealias Action = Work
    var state = 0
    let time: WorkTime

    init(time: WorkTime) { self.time = time }

    func transform(_ input: Work) async -> [Work] { [input] }

    func perform(_ action: Work) async throws {
      if case .then(let seconds) = action {
        await Task.yield()
        time.work(seconds)
      }
      if case .at(let seconds) = action { time.work(seconds) }
      state += 1
    }

    func handleError(_ error: SendableError) async {}
  }

  /// Sends Inputs, one after another, to a session; returns its id, shortened, and the metrics.
  private func send(
    _ inputs: [String],
    to name: String,
    limit: Double = 1
  ) async throws -> (id: String, metrics: String) {
    var catalog = ViewModelCatalog()
    catalog.host("reducing", summary: "") { [time] _ in Reducing(time: time) }
    catalog.host("asynchronous", summary: "") { [time] _ in Asynchronous(time: time) }
    var configuration = Configuration()
    configuration.slowTurn = .seconds(limit)
    let metrics = ServiceMetrics(.memory)
    let log = Log(format: .text, level: .warning, write: { [lines] in lines.add($0) })
    let host = SessionHost(
      catalog.viewModels,
      limits: configuration.sessionLimits,
      dependencies: Dependencies(time: time),
      report: {
        metrics.count($0)
        log.report($0)
      }
    )
    let viewModel = try #require(host.viewModels.named(name))
    let session = try await withCheckedThrowingContinuation { done in
      host.creator.create(viewModel) { done.resume(with: $0) }
    }
    for input in inputs {
      try session.submit(Array(input.utf8))
      await withCheckedContinuation { done in session.afterTurn { done.resume() } }
      while session.feed.current.isSettled == false { await Task.yield() }
    }
    return (session.id.redacted, String(decoding: metrics.metrics.text, as: UTF8.self))
  }

  @Test(arguments: ["reducing", "asynchronous"])
  func `is named in log and metrics, without values`(viewModel: String) async throws {
    let inputs = [#"{"at":{"once":1.5}}"#, #""idle""#, #"{"then":7.25}"#, #"{"at":{"once":0.9}}"#]
    let (id, metrics) = try await send(inputs, to: viewModel)
    let second = viewModel == "reducing" ? "work" : "then"
    let all = lines.text.split(separator: "\n")
    #expect(all.count == 2)
    for (line, input) in zip(all, ["at", second]) {
      #expect(line.contains("a turn took long"))
      #expect(line.contains("session=\(id) viewModel=\(viewModel) input=\(input) duration="))
      #expect(!line.contains("once"))
    }
    for (input, seconds) in [("at", "1.5"), (second, "7.25")] {
      let labels = #"{view_model="\#(viewModel)",input="\#(input)"}"#
      #expect(metrics.contains("uifusion_slow_turns_total\(labels) 1\n"))
      #expect(metrics.contains("uifusion_slow_turns_seconds_total\(labels) \(seconds)\n"))
    }
    #expect(!metrics.contains(id))
  }

  @Test func `is named from the set duration on, or never`() async throws {
    _ = try await send([#"{"at":{"once":3.9}}"#, #"{"at":{"once":4}}"#], to: "reducing", limit: 4)
    #expect(lines.text.split(separator: "\n").count == 1)
    _ = try await send([#"{"at":{"once":900}}"#], to: "reducing", limit: 0)
    #expect(lines.text.split(separator: "\n").count == 1)
  }
}
