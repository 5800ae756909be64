import FusionStoreDoubles
import Testing
import UIFusionKit
import UIFusionTesting

@testable import FusionSessions

/// Two nodes, one of which cannot read a stored session.
struct `A session that one node cannot read` {
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

  @Test func `is left to nodes of a newer version if one of them has stored it`() async throws {
    let newer = NodeUnderTest("newer", memory, clock, format: 2)
    await clock.idle()
    let id = try newer.create().id
    newer.stop()
    #expect(await a.find(id) == "unreadable here")
    #expect(a.host.directory.count == 0)
    let newest = NodeUnderTest("newest", memory, clock, format: 3)
    await clock.idle()
    #expect(await newest.find(id) == "live")
    #expect(await a.find(id) == "at newest")
  }

  @Test func `is left to other nodes, even if it has followers here`() async throws {
    let session = try a.create()
    _ = session.feed.follow {}
    let newer = NodeUnderTest("newer", memory, clock, format: 2)
    await clock.idle()
    a.store.cut()
    await clock.advance(by: .seconds(5))
    #expect(await newer.find(session.id) == "live")
    try newer.submit("2", to: session.id)
    await clock.advance(by: .seconds(61))
    await newer.putIdleToSleep()
    newer.stop()
    a.store.mend()
    await clock.advance(by: .seconds(1))
    #expect(await a.find(session.id) == "unreadable here")
    #expect(a.host.directory.count == 0)
    #expect(session.feed.current.hasMoved)
  }

  @Test func `is released if it is damaged, and is available at a node that can read it`()
    async throws
  {
    let id = try await asleep()
    b.store.damage(id)
    #expect(await b.find(id).hasPrefix("damaged"))
    #expect(b.host.directory.count == 0)
    #expect(await a.find(id) == "live")
    #expect(b.events.all.count { $0 == "damaged" } == 1)
  }

  @Test func `stays with the node that found it damaged if nobody asks, and expires there`()
    async throws
  {
    let id = try await asleep()
    b.store.damage(id)
    b.host.waker.wake(id, isClientWaiting: false) { _ in }
    await clock.idle()
    #expect(await a.find(id) == "at b")
    await clock.advance(by: b.host.limits.idleTime)
    b.host.expirer.expire()
    await clock.idle()
    a.host.directory.forgetLocation(of: id)
    #expect(await a.find(id) == "expired")
  }

  @Test func `is tried once by each node that takes over after a dead node`() async throws {
    let newer = NodeUnderTest("newer", memory, clock, format: 2)
    await clock.idle()
    let id = try newer.create("sleeper").id
    try newer.submit("100", to: id)
    newer.store.cut()
    await clock.advance(by: .seconds(60))
    #expect(a.events.all.count { $0 == "unreadable" } == 1)
    #expect(b.events.all.count { $0 == "unreadable" } == 1)
    let newest = NodeUnderTest("newest", memory, clock, format: 3)
    await clock.advance(by: .seconds(2))
    #expect(newest.host.directory.awake == 1)
  }

  /// Returns a session that was created at a, and has no owner.
  private func asleep() async throws -> SessionID {
    let id = try a.create().id
    await clock.advance(by: .seconds(61))
    await a.putIdleToSleep()
    return id
  }
}
