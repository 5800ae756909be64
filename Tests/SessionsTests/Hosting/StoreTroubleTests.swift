import Synchronization
import Testing
import UIFusionKit
import UIFusionTesting

@testable import FusionSessions

/// A host whose store is damaged, fails, or is busy.
struct `A host whose store is in trouble` {
  /// Whether the code runs on the store's thread instead of the pool's.
  @TaskLocal private static var isStoresThread = false

  private let clock = TestClock()
  private let store = HeldStore()

  private func host(_ events: Tally = Tally()) throws -> SessionHost {
    SessionHost(
      [.counting],
      dependencies: clock.dependencies,
      store: store,
      inventory: try store.inventory(),
      report: {
        switch $0 {
        case .damaged: events.add("damaged")
        case .storeFailed(let error): events.add("failed: \(error)")
        case .storeRecovered: events.add("recovered")
        default: break
        }
      }
    )
  }

  private func sessions(_ count: Int) throws -> [SessionID] {
    let host = try host()
    return try (0..<count).map { _ in try #require(try host.creator.create(.counting)).id }
  }

  @Test func `stays ready if one session is unreadable`() async throws {
    let id = try sessions(1)[0]
    let events = Tally()
    let host = try host(events)
    store.damage(id)
    let outcome = Tally()
    host.waker.wake([id]) { if case .store(.damaged) = $0 { outcome.add("damaged") } }
    await clock.idle()
    #expect(outcome.all == ["damaged"])
    #expect(events.all == ["damaged"])
    #expect(host.health.isReachable)
  }

  @Test func `stays ready if one session's commit meets damage`() async throws {
    let events = Tally()
    let host = try host(events)
    store.hold()
    host.creator.create(.counting) { _ in }
    store.fail(.damaged("a page"))
    #expect(events.all == [])
    #expect(host.health.isReachable)
  }

  @Test func `reports a store failure once, whichever operation meets it`() async throws {
    let events = Tally()
    let host = try host(events)
    for _ in 0..<3 {
      store.hold()
      host.creator.create(.counting) { _ in }
      store.fail(.full)
    }
    #expect(events.all == ["failed: full"])
    await clock.advance(by: .seconds(1))
    #expect(events.all == ["failed: full", "recovered"])
  }

  @Test func `does not retry an unreadable session`() async throws {
    let events = Tally()
    let host = try host(events)
    let session = try #require(try host.creator.create(.counting))
    store.hold()
    try session.submit(Array("1".utf8))
    store.fail(.full)
    store.damage(session.id)
    await clock.advance(by: .seconds(10))
    #expect(events.all == ["failed: full", "recovered", "damaged"])
    #expect(host.health.isReachable)
  }

  @Test func `resumes requests that waited for a deletion in the pool`() async throws {
    let host = try host()
    let id = try #require(try host.creator.create(.counting)).id
    store.hold()
    host.ender.delete(id)
    let places = Tally()
    host.waker.wake([id]) { _ in places.add(Self.isStoresThread ? "the store's" : "the pool's") }
    Self.$isStoresThread.withValue(true) { store.release() }
    await clock.idle()
    #expect(places.all == ["the pool's"])
  }

  @Test(arguments: [true, false])
  func `asks the store about a session whose end is in doubt`(isOver: Bool) async throws {
    let host = try host()
    let id = try #require(try host.creator.create(.counting)).id
    store.hold()
    let outcome = Tally()
    host.ender.delete(id) { if case .failure(.store(.inDoubt)) = $0 { outcome.add("in doubt") } }
    if isOver { store.loseAnswers() } else { store.fail(.inDoubt) }
    #expect(outcome.all == ["in doubt"])
    #expect(host.directory.isAsleep(id))
    // Nothing is read before the store has recovered.
    host.waker.wake([id]) { if case .store(.unreachable) = $0 { outcome.add("not yet") } }
    await clock.advance(by: .seconds(1))
    host.waker.wake([id]) { if $0 == nil { outcome.add("read") } }
    await clock.idle()
    #expect(outcome.all == ["in doubt", "not yet", "read"])
    #expect(host.directory.find(id).name == (isOver ? "ended" : "live"))
  }

  @Test func `expires many sessions in steps, so that other commits run in between`() async throws {
    let host = try host()
    for _ in 0..<2_500 { _ = try host.creator.create(.counting) }
    await clock.advance(by: .seconds(1800))
    store.hold()
    host.expirer.expire()
    var steps: [Int] = []
    while let change = store.changes.first {
      if case .end(let ids, _, _) = change { steps.append(ids.count) }
      store.releaseFirst()
    }
    #expect(steps == [1_000, 1_000, 500])
    #expect(host.directory.count == 0)
  }

  @Test func `stores last uses again after the store failed`() async throws {
    let host = try host()
    let id = try #require(try host.creator.create(.counting)).id
    await clock.advance(by: .seconds(60))
    _ = host.directory.find(id)
    store.hold()
    host.expirer.expire()
    store.fail(.full)
    host.expirer.expire()
    #expect(store.stored(id)?.used == host.context.clock.now)
  }

  @Test func `forgets ended sessions in the store, too`()
    async throws
  {
    let host = try host()
    let id = try #require(try host.creator.create(.counting)).id
    host.ender.delete(id) { _ in }
    await clock.idle()
    host.expirer.expire()
    #expect(try store.inventory().ended.map(\.id) == [id])
    await clock.advance(by: SessionLimits().memoryOfEnded + .seconds(1))
    host.expirer.expire()
    #expect(try store.inventory().ended.isEmpty && host.directory.find(id).name == "unknown")
  }

  @Test func `does not keep a session longer because a clock was a year ahead`() async throws {
    let id = try sessions(1)[0]
    let host = try host()
    let year = Duration.seconds(365 * 24 * 3600)
    store.commit(.use([id: host.context.clock.now + year])) { _ in }
    let next = try self.host()
    await clock.advance(by: .seconds(1800))
    next.expirer.expire()
    #expect(next.directory.find(id).name == "ended")
  }

  @Test func `retries a damaged session with a due alarm after a minute`()
    async throws
  {
    func start() throws -> SessionHost {
      SessionHost(
        [.reminding],
        dependencies: clock.dependencies,
        store: store,
        inventory: try store.inventory()
      )
    }
    let session = try #require(try start().creator.create(.reminding))
    try session.submit(Array("tea 1 7".utf8))
    await clock.idle()
    store.damage(session.id)
    let host = try start()
    let ringing = Task(executorPreference: clock.executor) { try await host.alarmWaker.run() }
    await clock.advance(by: .seconds(5))
    store.repair()
    await clock.advance(by: .seconds(50))
    #expect(host.directory.awake == 0)
    await clock.advance(by: .seconds(15))
    #expect(host.directory.awake == 1)
    ringing.cancel()
    await clock.idle()
  }

  @Test func `expires overdue sessions right after a start`() async throws {
    let id = try sessions(1)[0]
    await clock.advance(by: .seconds(1800))
    let host = try host()
    let expiring = Task(executorPreference: clock.executor) {
      try? await host.expirer.run(wakingInterrupted: false)
    }
    await clock.idle()
    #expect(host.directory.find(id).name == "ended")
    expiring.cancel()
    await expiring.value
  }
}
