import Foundation
import FusionStoreDoubles
import Synchronization
import Testing
import UIFusionKit
import UIFusionTesting

@testable import FusionSessions

struct `A session's alarm` {
  private let store = HeldStore()

  private func stored(_ id: SessionID) -> String? {
    store.kept.stored(id).flatMap { try? HostedViewModel.counting.position(of: $0) }
      .map { String(decoding: $0.state, as: UTF8.self) }
  }

  private func alarms(_ id: SessionID) -> [String] {
    store.kept.stored(id)?.alarms.map { String(decoding: $0.name, as: UTF8.self) } ?? []
  }

  // MARK: Awake

  @Test(arguments: [true, false])
  func `rings at its time in an awake session, with and without a store`(isStored: Bool)
    async throws
  {
    let service = try ReminderService(isStored ? store : nil)
    let id = try await service.create("tea 2.5 1", "eggs 1.2 10")
    await service.run()
    await service.clock.advance(by: .milliseconds(1_199))
    #expect(service.state(id) == "0")
    await service.clock.advance(by: .milliseconds(1))
    #expect(service.state(id) == "10")
    await service.clock.advance(by: .milliseconds(1_300))
    #expect(service.state(id) == "11")
    #expect(alarms(id) == [])
    #expect(service.events.all == ["rang 0", "rang 0"])
    await service.stop()
  }

  @Test func `rings at its time even if another rings in the same second`() async throws {
    let service = try ReminderService(store)
    _ = try await service.create("tea 1.2 1", "eggs 1.3 10")
    await service.run()
    await service.clock.advance(by: .seconds(2))
    #expect(service.events.all == ["rang 0", "rang 0"])
    await service.stop()
  }

  @Test func `is neither acknowledged nor rung before it is stored`() async throws {
    let service = try ReminderService(store)
    let session = try #require(try service.host.creator.create(.reminding))
    await service.run()
    store.hold()
    try session.submit(Array("tea 1 1".utf8))
    await service.clock.advance(by: .seconds(3))
    #expect(service.host.alarmWaker.clock.count == 0)
    store.letGo()
    await service.clock.advance(by: .seconds(1))
    #expect(service.state(session.id) == "1")
    await service.stop()
  }

  @Test func `rings again if its turn was not committed, and is applied once`() async throws {
    let service = try ReminderService(store)
    let id = try await service.create("tea 2 1")
    await service.run()
    store.hold()
    await service.clock.advance(by: .seconds(2))
    #expect(service.state(id) == "0")
    // The process dies before the commit.
    let next = try ReminderService(store.kept, at: 5)
    await next.run()
    #expect(next.state(id) == "1")
    #expect(next.events.all == ["rang 3000"])
    #expect(alarms(id) == [])
    await next.clock.advance(by: .seconds(100))
    #expect(stored(id) == "1")
    await next.stop()
    await service.stop()
  }

  @Test func `is removed in its action's commit, even if the action suspends`() async throws {
    let service = try ReminderService(store, [.nodding])
    let session = try #require(try service.host.creator.create(.nodding))
    let id = session.id
    try session.submit(Array("set".utf8))
    await service.run()
    store.hold()
    await service.clock.advance(by: .seconds(2))
    // The process may die between any two commits.
    repeat {
      #expect((stored(id) == "1") == (alarms(id) == []))
      store.releaseFirst()
      await service.clock.idle()
    } while store.waiting > 0
    #expect(stored(id) == "1")
    await service.stop()
  }

  // MARK: Asleep

  @Test func `rings in a session that wakes, even before the next step of waking`() async throws {
    let service = try ReminderService(store, executor: ImmediateExecutor())
    let id = try await service.create("tea 2 1")
    await service.sleep()
    await service.clock.advance(by: .seconds(3))
    #expect(!service.isAwake(id))
    service.host.waker.wake([id]) { _ in }
    #expect(service.state(id) == "1")
  }

  @Test func `wakes a sleeping session`() async throws {
    let service = try ReminderService(store)
    let id = try await service.create("tea 100 1", "eggs 200 10")
    await service.sleep()
    #expect(!service.isAwake(id))
    await service.run()
    await service.clock.advance(by: .seconds(99))
    #expect(!service.isAwake(id))
    await service.clock.advance(by: .seconds(2))
    #expect(stored(id) == "1")
    await service.sleep()
    await service.clock.advance(by: .seconds(100))
    #expect(stored(id) == "11")
    await service.stop()
  }

  @Test func `is not lost if its session falls asleep just as it is due`() async throws {
    let service = try ReminderService(store)
    let id = try await service.create("tea 1 1")
    await service.run()
    let session = try #require(service.host.directory.withLock { $0.resident(id) })
    // Closes the engine as falling asleep does; the alarm is due before the directory knows.
    session.instance?.engine.close()
    await service.clock.advance(by: .milliseconds(1_000))
    #expect(service.state(id) == "0")
    session.lose(.inDoubt, of: try #require(session.instance?.log))
    await service.clock.advance(by: .seconds(3))
    #expect(service.state(id) == "1")
    await service.stop()
  }

  @Test func `that is overdue rings soon after the start, one per session at a time`() async throws
  {
    let service = try ReminderService(store)
    var ids: [SessionID] = []
    for number in 0..<100 {
      ids.append(try await service.create("tea \(number) 1", "eggs 50 10"))
    }
    await service.stop()
    let next = try ReminderService(store.kept, at: 1_000)
    await next.run()
    await next.clock.advance(by: .seconds(2))
    #expect(ids.allSatisfy { stored($0) == "11" })
    #expect(next.host.alarmWaker.clock.count == 0)
    await next.stop()
  }

  @Test func `keeps its session from expiring, before and after a restart`() async throws {
    let service = try ReminderService(store, sessionTTL: .seconds(100))
    let id = try await service.create("tea 1000 1")
    let other = try await service.create()
    await service.run(expiring: true)
    await service.clock.advance(by: .seconds(150))
    await service.sleep()
    await service.clock.advance(by: .seconds(150))
    #expect(service.host.directory.find(id).name == "asleep")
    #expect(service.host.directory.find(other).name == "ended")
    #expect(service.host.directory.sessionsWithAlarms == 1)
    await service.stop()
    let next = try ReminderService(store.kept, at: 400, sessionTTL: .seconds(100))
    await next.run(expiring: true)
    await next.clock.advance(by: .seconds(601))
    #expect(stored(id) == "1")
    #expect(next.host.directory.sessionsWithAlarms == 0)
    // The idle time restarts with the ring.
    await next.clock.advance(by: .seconds(90))
    #expect(stored(id) == "1")
    await next.clock.advance(by: .seconds(30))
    #expect(stored(id) == nil)
    await next.stop()
  }

  @Test func `keeps its session from expiring if the store cannot list alarms at first`()
    async throws
  {
    let service = try ReminderService(store, sessionTTL: .seconds(100))
    let id = try await service.create("tea 1000 1")
    await service.sleep()
    store.holdAlarms()
    let next = try ReminderService(store, at: 10, sessionTTL: .seconds(100))
    await next.run(expiring: true)
    store.letGoOfAlarms(.failure(.unreachable("no answer")))
    await next.clock.advance(by: .seconds(150))
    #expect(next.host.directory.find(id).name == "asleep")
    await next.stop()
  }

  @Test func `is not lost to expiry if its row is damaged, which is reported once`() async throws {
    let service = try ReminderService(store, sessionTTL: .seconds(100))
    let id = try await service.create("tea 1000 1")
    await service.sleep()
    store.failAlarms(.damaged("a page is torn"))
    let next = try ReminderService(store, at: 10, sessionTTL: .seconds(100))
    await next.run(expiring: true)
    await next.clock.advance(by: .seconds(300))
    #expect(next.host.directory.find(id).name == "asleep")
    #expect(next.events.all == ["alarms unknown"])
    await next.stop()
  }

  // MARK: Cancelled

  @Test func `does not ring after an acknowledged cancellation or deletion`() async throws {
    let service = try ReminderService(store)
    let id = try await service.create("tea 5 1", "eggs 5 10", "-tea")
    let over = try await service.create("tea 5 1")
    service.host.ender.delete(over)
    await service.sleep()
    await service.run()
    #expect(alarms(id) == ["eggs"])
    await service.clock.advance(by: .seconds(100))
    #expect(stored(id) == "10")
    #expect(stored(over) == nil)
    #expect(service.host.alarmWaker.clock.count == 0)
    await service.stop()
  }

  @Test func `leaves nothing in memory once its session has ended`() async throws {
    let service = try ReminderService(store)
    let id = try await service.create("tea 500 1")
    #expect(service.host.alarmWaker.clock.count == 1)
    service.host.ender.delete(id)
    await service.clock.idle()
    #expect(service.host.alarmWaker.clock.count == 0)
    await service.stop()
  }

  // MARK: Trouble

  @Test func `follows the calendar when it is set forward or back`() async throws {
    let service = try ReminderService(store)
    let id = try await service.create("tea 100 1", "eggs 500 10")
    await service.run()
    service.clock.date = Date(timeIntervalSince1970: 200)
    await service.clock.advance(by: .seconds(1))
    #expect(service.state(id) == "1")
    service.clock.date = Date(timeIntervalSince1970: 300)
    await service.clock.advance(by: .seconds(150))
    #expect(service.state(id) == "1")
    service.clock.date = Date(timeIntervalSince1970: 100)
    await service.clock.advance(by: .seconds(300))
    #expect(service.state(id) == "1")
    await service.clock.advance(by: .seconds(101))
    #expect(service.state(id) == "11")
    await service.stop()
  }

  @Test func `of an unknown view model or unreadable session is left alone`() async throws {
    let service = try ReminderService(store)
    let id = try await service.create("tea 5 1")
    let other = try await service.create("tea 6 1")
    await service.stop()
    var unreadable = try #require(store.kept.stored(id))
    unreadable.head.format = 9
    let kept = MemorySessionStore()
    kept.commit(.create(unreadable)) { _ in }
    store.kept.stored(other).map { kept.commit(.create($0)) { _ in } }
    let refusing = HostedViewModel(
      name: "reminding",
      summary: "",
      read: { _, _, _ in throw Refused() },
      open: { start, opening in
        if case .stored(_, _, 9, _) = start { throw Refused() }
        return try HostedViewModel.reminding.open(start, opening)
      }
    )
    let next = try ReminderService(kept, [refusing], at: 100)
    await next.run()
    await next.clock.advance(by: .seconds(600))
    #expect(next.events.all.count { $0 == "unreadable" } == 1)
    #expect(kept.stored(id)?.alarms.count == 1)
    let none = try ReminderService(kept, [.counting], at: 100)
    await none.run()
    await none.clock.advance(by: .seconds(600))
    #expect(none.events.all == [])
    await none.stop()
    await next.stop()
  }

  @Test func `with an unreadable action stays stored, and others ring`() async throws {
    let service = try ReminderService(store)
    let id = try await service.create("a 1 ?", "b 2 1")
    await service.run()
    await service.clock.advance(by: .seconds(5))
    #expect(service.state(id) == "1")
    #expect(service.events.all == ["invalid", "rang 0"])
    await service.sleep()
    await service.clock.advance(by: .seconds(1))
    // The session may wake once more, since it is not known yet; then it is left alone.
    await service.sleep()
    await service.clock.advance(by: .seconds(600))
    #expect(!service.isAwake(id))
    #expect(alarms(id) == ["a"])
    await service.stop()
  }

  @Test func `with an unreadable action keeps its session from expiring`() async throws {
    let service = try ReminderService(store, sessionTTL: .seconds(100))
    let id = try await service.create("a 1 ?")
    await service.run(expiring: true)
    await service.clock.advance(by: .seconds(500))
    #expect(alarms(id) == ["a"])
    await service.stop()
  }

  @Test func `rings from memory while the store does not list due alarms`() async throws {
    let service = try ReminderService(store)
    let id = try await service.create("tea 100 1")
    store.holdAlarms()
    await service.run()
    // Only the check once a second notices that the calendar was set.
    service.clock.date = Date(timeIntervalSince1970: 200)
    await service.clock.advance(by: .seconds(2))
    #expect(service.state(id) == "1")
    await service.stop()
    store.letGoOfAlarms()
    await service.clock.idle()
  }

  @Test func `waits while memory is full`() async throws {
    let service = try ReminderService(store, memory: 1)
    let id = try await service.create("tea 5 1")
    await service.sleep()
    service.host.memory.set(isFull: true)
    await service.run()
    await service.clock.advance(by: .seconds(10))
    #expect(!service.isAwake(id))
    service.host.memory.set(isFull: false)
    await service.clock.advance(by: .seconds(1))
    #expect(stored(id) == "1")
    await service.stop()
  }

  @Test func `rings after its session has recovered from a store failure`() async throws {
    let service = try ReminderService(store)
    let id = try await service.create("tea 5 1")
    await service.run()
    let session = try #require(service.host.directory.withLock { $0.resident(id) })
    session.instance?.log.abandon(.unreachable("gone"))
    await service.clock.advance(by: .seconds(7))
    #expect(service.state(id) == "1")
    #expect(alarms(id) == [])
    await service.stop()
  }
}

/// Runs each job where it is enqueued.
private final class ImmediateExecutor: TaskExecutor {
  func enqueue(_ job: consuming ExecutorJob) {
    UnownedJob(job).runSynchronously(on: asUnownedTaskExecutor())
  }
}
