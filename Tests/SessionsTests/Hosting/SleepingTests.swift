import Testing
import UIFusionKit
import UIFusionTesting

@testable import FusionSessions

struct `An unused session` {
  private let clock = TestClock()
  private let store = HeldStore()
  private let freed = Tally()
  private let host: SessionHost

  init() {
    let freed = freed
    host = SessionHost(
      [.counting, .sleeper { freed.add("freed") }],
      dependencies: clock.dependencies,
      store: store
    )
  }

  private func session(_ name: String = "counting") throws -> Session {
    let viewModel = try #require(host.viewModels.named(name))
    return try #require(try host.creator.create(viewModel))
  }

  /// Advances the clock, and runs the host's periodic work.
  private func pass(_ seconds: Double) async {
    await clock.advance(by: .seconds(seconds))
    _ = await Task(executorPreference: clock.executor) { [host] in
      await host.sleeper.putIdleToSleep()
    }
    .value
    host.expirer.expire()
    await clock.idle()
  }

  @Test func `goes to sleep, frees its memory, and is unchanged when it wakes`() async throws {
    let id: SessionID
    do {
      let session = try session("sleeper")
      id = session.id
      try session.submit(Array("3".utf8))
    }
    await pass(1)
    await pass(58)
    #expect(host.directory.awake == 1)
    await pass(1)
    #expect(host.directory.awake == 0 && host.directory.count == 1)
    #expect(freed.all == ["freed"])
    #expect(host.directory.isAsleep(id))
    host.waker.wake([id]) { #expect($0 == nil) }
    await clock.idle()
    guard case .resident(let session) = host.directory.find(id) else { throw Refused() }
    #expect(session.current?.version == 2 && session.current?.text == "3")
  }

  @Test func `goes to sleep after a second if memory is short`() async throws {
    for _ in 0..<3 { _ = try session() }
    let relieved = Tally()
    let relieving = Task(executorPreference: clock.executor) { [host] in
      try await host.sleeper.keepRelievingMemory { relieved.add("relieved") }
    }
    await clock.advance(by: .seconds(10))
    #expect(host.directory.awake == 3)
    host.memory.set(isShort: true, isFull: false)
    await clock.advance(by: .seconds(1))
    #expect(host.directory.awake == 0 && host.directory.count == 3)
    // Freed memory is returned to the system only if memory is full.
    #expect(relieved.all == [])
    host.memory.set(isFull: true)
    await clock.advance(by: .seconds(2))
    #expect(relieved.all == ["relieved", "relieved"])
    relieving.cancel()
    await clock.idle()
  }

  @Test func `stores its last use when it goes to sleep`() async throws {
    let id = try session().id
    await clock.advance(by: .seconds(10))
    _ = host.directory.find(id)
    await pass(60)
    #expect(host.directory.awake == 0)
    #expect(store.stored(id)?.used == host.context.clock.wallTime(at: .seconds(10)))
  }

  @Test func `stores its last use later if the store failed`() async throws {
    let id = try session().id
    await clock.advance(by: .seconds(10))
    _ = host.directory.find(id)
    store.hold()
    await pass(60)
    #expect(host.directory.awake == 0)
    store.fail(.full)
    host.uses.record()
    store.release()
    #expect(store.stored(id)?.used == host.context.clock.wallTime(at: .seconds(10)))
  }

  @Test func `stays awake while it works`() async throws {
    var limits = SessionLimits()
    limits.sleepAfter = .milliseconds(500)
    let host = SessionHost(
      [.sleeper],
      limits: limits,
      dependencies: clock.dependencies,
      store: store
    )
    // The session works for a second, and nobody waits for the result.
    try #require(try host.creator.create(.sleeper)).submit(Array("1".utf8))
    await clock.advance(by: .milliseconds(600))
    await host.sleeper.putIdleToSleep()
    #expect(host.directory.awake == 1)
    await clock.advance(by: .milliseconds(600))
    await host.sleeper.putIdleToSleep()
    #expect(host.directory.awake == 0)
  }

  @Test func `stays awake while it is in use, and for a while afterwards`() async throws {
    let session = try session()
    session.beginUse()
    await pass(120)
    #expect(host.directory.awake == 1)
    session.endUse()
    await pass(59)
    #expect(host.directory.awake == 1)
    await pass(1)
    #expect(host.directory.awake == 0)
  }

  @Test func `stays awake while a change is not stored`() async throws {
    let session = try session()
    store.hold()
    try session.submit(Array("1".utf8))
    session.endUse()
    await pass(61)
    #expect(host.directory.awake == 1)
  }

  @Test func `goes back to sleep if another session of the same request cannot be woken`()
    async throws
  {
    let ids = [try session().id, try session().id]
    await pass(60)
    #expect(host.directory.awake == 0)
    store.damage(ids[1])
    let failed = Tally()
    host.waker.wake(ids) { if $0 != nil { failed.add("failed") } }
    await clock.idle()
    #expect(failed.all == ["failed"] && host.directory.awake == 1)
    await pass(60)
    #expect(host.directory.awake == 0)
  }

  @Test func `is kept awake by a check whether it sleeps`() async throws {
    let session = try session()
    await clock.advance(by: .seconds(59))
    #expect(!host.directory.isAsleep(session.id))
    await pass(2)
    #expect(host.directory.awake == 1)
  }

  @Test func `expires in its sleep when it would have expired awake`() async throws {
    let id = try session().id
    await pass(60)
    #expect(host.directory.awake == 0)
    await pass(1_739)
    #expect(host.directory.find(id).name == "asleep")
    await pass(1)
    #expect(host.directory.find(id).name == "ended")
  }

  @Test func `does not expire while it is being woken`() async throws {
    let id = try session().id
    await pass(60)
    await clock.advance(by: host.limits.idleTime)
    host.waker.wake([id]) { #expect($0 == nil) }
    host.expirer.expire()
    await clock.idle()
    host.expirer.expire()
    #expect(host.directory.find(id).name == "live")
  }

  @Test func `never sleeps without a store`() async throws {
    let host = SessionHost([.counting], dependencies: clock.dependencies)
    _ = try host.creator.create(.counting)
    await clock.advance(by: .seconds(100))
    await host.sleeper.putIdleToSleep()
    #expect(host.directory.awake == 1)
  }
}
