import ExampleViewModels
import Sessions
import Synchronization
import Testing
import UIFusionKit
import UIFusionTesting

@testable import UIFusionServer

struct `Memory that runs short` {
  @Test func `is short from two thirds of the limit on, until it is half`() {
    var pressure = MemoryPressure(limit: 600)
    let isHigh = [400, 401, 301, 300, 400].map {
      pressure.update(used: $0)
      return pressure.isHigh
    }
    #expect(isHigh == [false, true, true, false, false])
  }

  @Test func `is full beyond the limit, until it is seven eighths`() {
    var pressure = MemoryPressure(limit: 800)
    let isFull = [800, 801, 701, 700, 800].map {
      pressure.update(used: $0)
      return pressure.isFull
    }
    #expect(isFull == [false, true, true, false, false])
  }

  @Test func `has idle sessions sleep at once, and in the end is said to be full`() async throws {
    let clock = TestClock()
    let lines = Lines()
    var catalog = ViewModelCatalog()
    catalog.host("counter", summary: "") { CounterViewModel(time: $0.time) }
    let host = SessionHost(
      catalog.viewModels,
      dependencies: clock.dependencies,
      store: MemorySessionStore()
    )
    let viewModel = try #require(host.viewModel(named: "counter"))
    for _ in 0..<3 { host.create(viewModel) { _ in } }
    let used = Mutex(400)
    let upkeep = Task(executorPreference: clock.executor) {
      try await host.relieve(
        MemoryPressure(limit: 600),
        used: { used.withLock { $0 } },
        clock.dependencies.time,
        Log(format: .text, level: .info, write: { lines.add($0) })
      )
    }
    await clock.advance(by: .seconds(10))
    #expect(host.awake == 3 && lines.text == "")
    used.withLock { $0 = 500 }
    await clock.advance(by: .milliseconds(100))
    #expect(host.awake == 0 && host.count == 3)
    #expect(lines.text.contains("idle sessions go to sleep at once used=500 max-memory=600"))
    #expect(!host.memory.isFull)
    used.withLock { $0 = 601 }
    await clock.advance(by: .milliseconds(100))
    #expect(host.memory.isFull)
    #expect(lines.text.contains("what takes more is refused used=601 max-memory=600"))
    used.withLock { $0 = 500 }
    await clock.advance(by: .milliseconds(100))
    #expect(!host.memory.isFull)
    #expect(lines.text.contains("is not full any more"))
    upkeep.cancel()
    await clock.idle()
  }
}
