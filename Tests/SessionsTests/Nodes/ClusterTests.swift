import FusionStoreDoubles
import Synchronization
import Testing
import UIFusionKit
import UIFusionTesting

@testable import FusionSessions

/// Two nodes with a shared store.
struct `A session on two nodes` {
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

  @Test func `is located at the node that created it`() async throws {
    let id = try a.create().id
    #expect(await b.find(id) == "at a")
    #expect(await a.find(id) == "live")
  }

  @Test func `is not found under an id that was never given out`() async throws {
    let nobodys = SessionID(high: 1, low: 2)
    #expect(await a.find(nobodys) == "unknown")
    #expect(await b.find(nobodys) == "unknown")
  }

  @Test func `is taken over with all acknowledged changes once its node's lease has ended`()
    async throws
  {
    let id = try a.create().id
    try a.submit("2", to: id)
    try a.submit("3", to: id)
    a.store.cut()
    #expect(await b.find(id) == "at a")
    // The lease was renewed for the last time before this moment.
    await clock.advance(by: .seconds(4))
    b.host.directory.forgetLocation(of: id)
    #expect(await b.find(id) == "live")
    #expect(b.text(of: id) == "5")
  }

  @Test func `is refused by its node before another node may own it`() async throws {
    let id = try a.create().id
    #expect(await a.find(id) == "live")
    a.store.cut()
    await clock.advance(by: .seconds(3.1))
    #expect(await a.find(id) == "live")
    await clock.advance(by: .seconds(0.2))
    #expect(await a.find(id) == "unreachable")
    #expect(!a.host.health.isReachable)
    #expect(a.events.all.contains("lease silenced"))
    b.host.directory.forgetLocation(of: id)
    #expect(await b.find(id) == "at a")
  }

  @Test func `is served until its node's lease ends, counted from the request to renew it`()
    async throws
  {
    let id = try a.create().id
    a.store.holdRenewals()
    await clock.advance(by: .seconds(3))
    a.store.answerRenewals()
    a.store.cut()
    // The renewal was requested after one second.
    await clock.advance(by: .seconds(1.1))
    #expect(await a.find(id) == "live")
    await clock.advance(by: .seconds(0.2))
    #expect(await a.find(id) == "unreachable")
  }

  @Test func `is served until its node's new lease ends, counted from the request to join`()
    async throws
  {
    a.store.cut()
    await clock.advance(by: .seconds(10))
    a.store.holdJoins()
    a.store.mend()
    await clock.advance(by: .seconds(2))
    a.store.answerJoins()
    await clock.idle()
    let id = try a.create().id
    #expect(await a.find(id) == "live")
    a.store.cut()
    await clock.advance(by: .seconds(2))
    #expect(await a.find(id) == "unreachable")
  }

  @Test func `continues unchanged if the connection is mended in time`() async throws {
    let session = try a.create()
    a.store.cut()
    await clock.advance(by: .seconds(3.3))
    #expect(await a.find(session.id) == "unreachable")
    a.store.mend()
    await clock.advance(by: .seconds(0.6))
    #expect(await a.find(session.id) == "live")
    #expect(a.host.directory.find(session.id).session === session)
    #expect(a.events.all.contains("lease restored") && !a.events.all.contains("lease lost"))
  }

  @Test func `is reported as acquired by the node that takes it over, but not by its creator`()
    async throws
  {
    let id = try a.create().id
    a.store.cut()
    await clock.advance(by: .seconds(4))
    b.host.directory.forgetLocation(of: id)
    #expect(await b.find(id) == "live")
    #expect(b.events.all.count { $0 == "acquired" } == 1)
    #expect(!a.events.all.contains("acquired"))
  }

  @Test func `has a node that knows the age of its lease`() async throws {
    await clock.advance(by: .seconds(10.5))
    #expect(a.host.ownership.age == .seconds(0.5))
    a.store.cut()
    await clock.advance(by: .seconds(7))
    #expect(a.host.ownership.age == .seconds(7.5))
    a.store.mend()
    await clock.advance(by: .seconds(0.25))
    #expect(a.host.ownership.age < .seconds(1))
  }

  @Test func `is read again by its own node after the lease has ended`() async throws {
    let session = try a.create()
    try a.submit("2", to: session.id)
    a.store.cut()
    await clock.advance(by: .seconds(5))
    a.store.mend()
    await clock.advance(by: .seconds(1))
    #expect(Set(["lease silenced", "lease lost", "fenced"]).isSubset(of: a.events.all))
    #expect(await a.find(session.id) == "live")
    #expect(a.host.directory.find(session.id).session !== session)
    #expect(a.text(of: session.id) == "2")
  }

  @Test func `accepts no change from a node that has lost its lease`() async throws {
    let id = try a.create().id
    // The change is in flight until after the lease has ended.
    a.store.hold()
    try a.submit("2", to: id)
    a.store.cut()
    await clock.advance(by: .seconds(5))
    b.host.directory.forgetLocation(of: id)
    #expect(await b.find(id) == "live")
    try b.submit("7", to: id)
    a.store.mend()
    a.store.release()
    await clock.advance(by: .seconds(1))
    #expect(b.text(of: id) == "7")
    #expect(memory.sessions.stored(id)?.sequence == 1)
    #expect(await a.find(id) == "at b")
  }

  @Test func `leaves Inputs in doubt that were in flight when the lease ended`() async throws {
    let session = try a.create()
    let told = Tally()
    a.store.hold()
    try session.submit(Array("2".utf8), observer: Observer { told.add($0.name) })
    a.store.cut()
    await clock.advance(by: .seconds(5))
    a.store.mend()
    await clock.advance(by: .seconds(1))
    #expect(told.all == ["failed: inDoubt"])
    a.store.release()
  }

  @Test func `has no owner while it sleeps, and then moves to the node that is asked`() async throws
  {
    let id = try a.create().id
    try a.submit("2", to: id)
    await clock.advance(by: .seconds(61))
    await a.putIdleToSleep()
    #expect(a.host.directory.count == 0)
    #expect(await b.find(id) == "live")
    #expect(b.text(of: id) == "2")
    #expect(await a.find(id) == "at b")
  }

  @Test func `is released later if the store cannot be reached now`() async throws {
    let id = try a.create().id
    await clock.advance(by: .seconds(61))
    a.store.cut()
    await a.putIdleToSleep()
    #expect(a.host.directory.count == 1)
    a.store.mend()
    #expect(await b.find(id) == "at a")
    await a.putIdleToSleep()
    #expect(a.host.directory.count == 0)
    b.host.directory.forgetLocation(of: id)
    #expect(await b.find(id) == "live")
  }

  @Test func `is released at once when its node stops`() async throws {
    let id = try a.create().id
    a.stop()
    #expect(await b.find(id) == "live")
  }

  @Test func `ends on both nodes`() async throws {
    let (first, second) = (try a.create().id, try a.create().id)
    #expect(await b.delete(first) == "at a")
    #expect(await a.delete(first) == "live")
    b.host.directory.forgetLocation(of: first)
    #expect(await b.find(first) == "deleted")
    // A session without an owner is ended by any node that is asked.
    a.stop()
    #expect(await b.delete(second) == "asleep")
    #expect(await b.delete(second) == "deleted")
    #expect(await b.delete(SessionID(high: 1, low: 2)) == "unknown")
  }

  @Test func `expires by the store's clock while it has no owner`() async throws {
    let id = try a.create().id
    await clock.advance(by: .seconds(61))
    await a.putIdleToSleep()
    await clock.advance(by: .seconds(1738))
    b.host.expirer.expire()
    #expect(memory.sessions.stored(id) != nil)
    await clock.advance(by: .seconds(2))
    b.host.expirer.expire()
    #expect(await b.find(id) == "expired")
  }

  @Test func `expires together with more than a thousand others`() async throws {
    for _ in 0..<1_001 { _ = try a.create() }
    await clock.advance(by: .seconds(61))
    await a.putIdleToSleep()
    await clock.advance(by: .seconds(1_740))
    b.host.expirer.expire()
    await clock.idle()
    #expect(try memory.sessions.inventory().sessions.isEmpty)
  }

  @Test func `expires at its owner, even if another node's sessions are idle, too`() async throws {
    let ids = try (0..<3).map { _ in try a.create().id }
    await clock.advance(by: .seconds(1801))
    let other = b.host.ownership.node?.number
    memory.give(ids[1], to: other)
    a.host.expirer.expire()
    await clock.idle()
    #expect(await a.find(ids[0]) == "expired")
    #expect(await a.find(ids[2]) == "expired")
    #expect(a.host.directory.count == 0)
    #expect(memory.sessions.stored(ids[1]) != nil)
  }

  @Test func `is read again if its store has lost changes that were shown`() async throws {
    let session = try a.create()
    _ = session.feed.follow {}
    try a.submit("1", to: session.id)
    let before = try #require(memory.stored(session.id))
    for _ in 1...3 { try a.submit("1", to: session.id) }
    // As after a failover to a replica that had not received them yet.
    memory.sessions.commit(.end([session.id], .deleted, at: WallTime(milliseconds: 0))) { _ in }
    memory.sessions.commit(.create(before)) { _ in }
    try a.submit("1", to: session.id)
    await clock.advance(by: .seconds(2))
    #expect(session.feed.current.hasMoved)
    #expect(await a.find(session.id) == "live")
    #expect(a.text(of: session.id) == "1")
    try a.submit("1", to: session.id)
    #expect(a.text(of: session.id) == "2")
  }

  @Test func `is released if nobody was told that it was created`() async throws {
    a.store.loseAnswers()
    #expect(throws: StoreError.inDoubt) { try a.create() }
    let id = try #require(memory.owners.keys.first)
    #expect(memory.owners == [id: a.host.ownership.node?.number])
    a.store.mend()
    await clock.advance(by: .seconds(1))
    await a.putIdleToSleep()
    #expect(memory.owners == [id: nil])
  }

  @Test func `wakes at another node instead of expiring if its node died during its work`()
    async throws
  {
    let id = try a.create("sleeper").id
    try a.submit("5", to: id)
    a.store.cut()
    b.store.cut()
    await clock.advance(by: b.host.limits.idleTime * 2)
    b.store.mend()
    b.host.expirer.expire()
    await clock.advance(by: .seconds(3))
    #expect(b.host.directory.awake == 1)
    #expect(memory.sessions.stored(id) != nil)
  }

  @Test func `wakes at another node when its own died at work`() async throws {
    let id = try a.create("sleeper").id
    try a.submit("5", to: id)
    #expect(memory.sessions.stored(id)?.isAtWork == true)
    a.store.cut()
    await clock.advance(by: .seconds(8))
    #expect(b.host.directory.awake == 1)
    #expect(b.events.all.contains("woke interrupted"))
  }

  @Test func `tells its followers that it has moved`() async throws {
    let session = try a.create()
    let told = Tally()
    let following = session.feed.follow {
      if session.feed.current.hasMoved { told.add("moved") }
    }
    a.store.cut()
    await clock.advance(by: .seconds(5))
    b.host.directory.forgetLocation(of: session.id)
    #expect(await b.find(session.id) == "live")
    a.store.mend()
    await clock.advance(by: .seconds(1))
    #expect(told.all.contains("moved"))
    #expect(session.feed.current.end == nil)
    session.feed.unfollow(following)
  }

  @Test func `is served again by its node under a new lease if it has followers`() async throws {
    let session = try a.create()
    try a.submit("4", to: session.id)
    let following = session.feed.follow {}
    a.store.cut()
    await clock.advance(by: .seconds(5))
    a.store.mend()
    await clock.advance(by: .seconds(1))
    #expect(a.host.directory.find(session.id).session === session)
    #expect(session.isAwake && session.current?.text == "4")
    session.feed.unfollow(following)
  }
}

extension SessionLookup {
  fileprivate var session: Session? {
    if case .resident(let session) = self { session } else { nil }
  }
}
