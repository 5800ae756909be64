import FusionSessions
import Synchronization
import Testing

@testable import UIFusionServer

struct `Memory pressure` {
  /// Returns the levels after successive measurements, with a limit of 2,400 bytes.
  private func levels(_ used: [Int]) -> [MemoryPressure] {
    var pressure = MemoryPressure(limit: 2_400)
    return used.map {
      pressure.update(used: $0)
      return pressure
    }
  }

  @Test func `is high above two thirds of the limit, until half of it`() {
    let levels = levels([1_600, 1_601, 1_201, 1_200, 1_600])
    #expect(levels.map(\.isHigh) == [false, true, true, false, false])
  }

  @Test func `is full above the limit, until seven eighths of it`() {
    let levels = levels([2_400, 2_401, 2_101, 2_100, 2_400])
    #expect(levels.map(\.isFull) == [false, true, true, false, false])
  }

  @Test func `is reported to the host, and logged when it changes`() {
    let host = SessionHost([])
    let lines = Lines()
    let log = Log(format: .text, level: .info, write: { lines.add($0) })
    let used = Mutex(400)
    let watch = MemoryWatch(host.memory, limit: 600, used: { used.withLock { $0 } }, log)
    func measure(_ bytes: Int) -> (isShort: Bool, isFull: Bool, line: String) {
      let before = lines.text.count
      used.withLock { $0 = bytes }
      watch.measure()
      return (host.memory.isShort, host.memory.isFull, String(lines.text.dropFirst(before)))
    }
    #expect(measure(400) == (false, false, ""))
    let short = measure(500)
    #expect((short.isShort, short.isFull) == (true, false))
    #expect(
      short.line.contains("idle sessions sleep after one second used=500 max-memory=600")
    )
    #expect(measure(501).line == "")
    let full = measure(601)
    #expect((full.isShort, full.isFull) == (true, true))
    #expect(full.line.contains("requests that need more are refused used=601 max-memory=600"))
    #expect(measure(500).line.contains("less than --max-memory is in use again"))
  }
}
