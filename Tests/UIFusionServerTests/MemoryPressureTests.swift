import ExampleViewModels
import Sessions
import Synchronization
import Testing
import UIFusionKit
import UIFusionTesting

@testable import UIFusionServer

struct `Memory that runs short` {
  @Test func `is short from a half of the limit on, until it is below three eighths`() {
    var pressure = MemoryPressure(limit: 800)
    let resident = [400, 401, 301, 300, 400]
    let isHigh = resident.map {
      pressure.update(resident: $0)
      return pressure.isHigh
    }
    #expect(isHigh == [false, true, true, false, false])
  }

  @Test func `has idle sessions sleep at once, which is logged`() async throws {
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
    let resident = Mutex(400)
    let upkeep = Task(executorPreference: clock.executor) {
      try await host.relieve(
        MemoryPressure(limit: 800),
        resident: { resident.withLock { $0 } },
        clock.dependencies.time,
        Log(format: .text, level: .info, write: { lines.add($0) })
      )
    }
    await clock.advance(by: .seconds(10))
    #expect(host.awake == 3 && lines.text == "")
    resident.withLock { $0 = 500 }
    await clock.advance(by: .seconds(1))
    #expect(host.awake == 0 && host.count == 3)
    #expect(lines.text.contains("idle sessions go to sleep at once resident=500 limit=800"))
    upkeep.cancel()
    await clock.idle()
  }
}
