import FusionSessions
import Synchronization
import Testing
import UIFusionKit
import UIFusionTesting

@testable import FusionCluster

struct `A node without an address` {
  @Test func `warns once, five seconds after it has seen another node`() async {
    let clock = TestClock()
    let told = Mutex(0)
    let check = NeighborCheck(isReachable: false, OtherNodes(clock), clock.dependencies.time) {
      if case .unreachable = $0 { told.withLock { $0 += 1 } }
    }
    var counts: [Int] = []
    for _ in 0...7 {
      check.check([Node(2, name: "b", address: "http://b")])
      counts.append(told.withLock { $0 })
      await clock.advance(by: .seconds(1))
    }
    #expect(counts == [0, 0, 0, 0, 0, 1, 1, 1])
  }
}
