import Testing
import UIFusionKit
import UIFusionTesting

@testable import FusionSessions

/// Two nodes of which one cannot read what is stored of a session.
struct `A session that one of its nodes cannot read` {
  private let clock = TestClock()
  private let memory: SharedMemory
  private let a: NodeUnderTest
  private let b: NodeUnderTest

  init() async {
    let clock = clock
    memory = SharedMemory { clock.now }
    a = NodeUnderTest("a", memory, clock)
    b = NodeUnderTest("b", memory, clock)
    await clock.idle()
  }

  @Test func `is left to those of a newer version where one of them has stored it`() async throws {
    let newer = NodeUnderTest("newer", memory, clock, format: 2)
    await clock.idle()
    let id = try newer.create().id
    newer.stop()
    #expect(await a.find(id) == "unreadable here")
    #expect(a.host.count == 0)
    let newest = NodeUnderTest("newest", memory, clock, format: 3)
    await clock.idle()
    #expect(await newest.find(id) == "live")
    #expect(await a.find(id) == "at newest")
  }

  @Test func `is left to others, though it was at work here before`() async throws {
    let session = try a.create()
    let newer = NodeUnderTest("newer", memory, clock, format: 2)
    await clock.idle()
    a.line.cut()
    await clock.advance(by: .seconds(5))
    #expect(await newer.find(session.id) == "live")
    try newer.submit("2", to: session.id)
    await clock.advance(by: .seconds(61))
    await newer.putIdleToSleep()
    newer.stop()
    a.line.mend()
    await clock.advance(by: .seconds(1))
    #expect(await a.find(session.id) == "unreadable here")
    #expect(a.host.count == 0)
    #expect(session.feed.current.hasMoved)
  }
}
