import Dispatch
import Testing

struct `A test that blocks its thread` {
  @Test(.timeLimit(.minutes(1))) func `holds up no other`() async {
    // Swift's own pool gets one more thread a second, and no time limit ends a test that has them all.
    let count = 100
    let (begun, gate) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    @Sendable func wait(for semaphore: DispatchSemaphore) { semaphore.wait() }
    await withTaskGroup { group in
      for _ in 1...count {
        group.addTask {
          begun.signal()
          wait(for: gate)
        }
      }
      for _ in 1...count { wait(for: begun) }
      for _ in 1...count { gate.signal() }
    }
  }
}
