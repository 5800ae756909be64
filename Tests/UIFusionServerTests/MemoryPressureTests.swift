import Sessions
import Synchronization
import Testing

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

  @Test func `is told to the host, and logged where it changes`() {
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
      short.line.contains("sessions sleep after a second without anybody used=500 max-memory=600")
    )
    #expect(measure(501).line == "")
    let full = measure(601)
    #expect((full.isShort, full.isFull) == (true, true))
    #expect(full.line.contains("what takes more is refused used=601 max-memory=600"))
    #expect(measure(500).line.contains("is not full any more"))
  }
}
