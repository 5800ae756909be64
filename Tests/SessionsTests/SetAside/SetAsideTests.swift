import Foundation
import FusionStoreDoubles
import Synchronization
import Testing
import UIFusionKit
import UIFusionTesting

@testable import FusionSessions

struct `A session that is set aside` {
  private let store = MemorySessionStore()
  private let clock = TestClock(date: Date(timeIntervalSince1970: 1_000))
  private let events = Tally()

  private func host(build: String = "a", within: Duration = .seconds(60)) throws -> SessionHost {
    var limits = SessionLimits()
    limits.setAsideWithin = within
    return SessionHost(
      [.reminding],
      limits: limits,
      dependencies: clock.dependencies,
      store: store,
      inventory: try store.inventory(),
      build: { build },
      report: { [events] in
        switch $0 {
        case .setAside: events.add("set aside")
        case .resumed: events.add("resumed")
        case .rang: events.add("rang")
        default: break
        }
      }
    )
  }

  /// Creates a session with an alarm, at whose work two processes crash.
  private func crashed() async throws -> SessionID {
    let host = try host()
    let session = try #require(try host.creator.create(.reminding))
    try session.submit(Array("tea 5 1".utf8))
    await clock.idle()
    for time in [1, 2] {
      let crash = SessionCrash(
        session.id,
        at: WallTime(milliseconds: time),
        of: "a",
        within: .seconds(1)
      )
      store.commit(.crash(crash)) { #expect($0 == nil) }
    }
    return session.id
  }

  private func failure(_ id: SessionID, _ host: SessionHost) async -> WakeFailure? {
    let failure = Mutex<WakeFailure?>(nil)
    host.waker.wake([id]) { reason in failure.withLock { $0 = reason } }
    await clock.idle()
    return failure.withLock { $0 }
  }

  private func run(_ host: SessionHost) -> [Task<Void, any Error>] {
    [
      Task(executorPreference: clock.executor) { try await host.setAsideWatch.run() },
      Task(executorPreference: clock.executor) { try await host.alarmWaker.run() },
    ]
  }

  @Test func `is refused to requests, which is reported once`() async throws {
    let id = try await crashed()
    let host = try host()
    for _ in 1...2 {
      guard case .setAside("reminding") = await failure(id, host) else {
        Issue.record("not set aside")
        continue
      }
    }
    #expect(events.all == ["set aside"])
    #expect(host.setAside.count == 1)
    #expect(host.directory.count == 1)
  }

  @Test func `is left alone by its alarms, and can be deleted`() async throws {
    let id = try await crashed()
    let host = try host()
    let tasks = run(host)
    await clock.advance(by: .seconds(60))
    #expect(events.all == ["set aside"])
    #expect(host.directory.awake == 0)
    host.ender.delete(id) { _ in }
    await clock.idle()
    #expect(store.stored(id) == nil)
    await clock.advance(by: .seconds(2))
    #expect(host.setAside.count == 0)
    #expect(events.all == ["set aside"])
    for task in tasks { task.cancel() }
    await clock.idle()
  }

  @Test func `is tried by another build`() async throws {
    let id = try await crashed()
    let host = try host(build: "b")
    #expect(await failure(id, host) == nil)
    #expect(events.all == [])
    #expect(host.setAside.count == 0)
  }

  @Test func `goes on where the setting says so`() async throws {
    let id = try await crashed()
    #expect(await failure(id, try host(within: .zero)) == nil)
  }
}

extension WallTime {
  fileprivate init(milliseconds: Int) { self.init(milliseconds: Int64(milliseconds)) }
}
