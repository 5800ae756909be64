import Foundation
import FusionStoreDoubles
import Synchronization
import Testing
import UIFusionKit
import UIFusionTesting

@testable import FusionSessions

/// A machine whose calendar is set by hand, by NTP, or to a wrong time before a start.
struct `A change of the calendar` {
  private let clock = TestClock()
  private let store = MemorySessionStore()
  private let offset = Offset()
  private let events = Tally()
  private let hour = Duration.seconds(3_600)

  private final class Offset: Sendable {
    let seconds = Mutex(0.0)
  }

  /// Starts a process's host now.
  private func start() throws -> SessionHost {
    var dependencies = clock.dependencies
    dependencies.date = { [clock, offset] in
      Date(timeIntervalSince1970: 1_000_000 + clock.now / .seconds(1))
        .addingTimeInterval(offset.seconds.withLock { $0 })
    }
    return SessionHost(
      [.counting],
      dependencies: dependencies,
      store: store,
      inventory: try store.inventory(),
      report: { [events] in
        switch $0 {
        case .calendarSet(let step): events.add("set by \(step)")
        case .gapDistrusted(let gap): events.add("distrusted \(gap)")
        default: break
        }
      }
    )
  }

  private func set(by step: Duration) {
    offset.seconds.withLock { $0 += step / .seconds(1) }
  }

  @Test(arguments: [1.0, -1])
  func `does not change a session's remaining time if a running process noticed it`(
    direction: Double
  ) async throws {
    let first = try start()
    let used = try #require(try first.creator.create(.counting)).id
    await clock.advance(by: .seconds(60))
    first.expirer.expire()
    set(by: hour * direction)
    first.expirer.expire()
    #expect(events.all == ["set by \(hour * direction)"])
    let second = try start()
    await clock.advance(by: .seconds(1_739))
    second.expirer.expire()
    #expect(second.directory.find(used).name == "asleep")
    // The store never moves a last use back: after a step back, the last use is at the start.
    await clock.advance(by: .seconds(direction > 0 ? 1 : 61))
    second.expirer.expire()
    #expect(second.directory.find(used).name == "ended")
    #expect(events.all.count == 1)
  }

  @Test func `does not change a session's remaining time after an orderly shutdown`() async throws {
    let first = try start()
    let id = try #require(try first.creator.create(.counting)).id
    set(by: hour)
    await clock.advance(by: .seconds(1))
    _ = first.directory.find(id)
    // Stores the last uses, as a shutdown does.
    first.uses.record()
    let second = try start()
    second.expirer.expire()
    #expect(second.directory.find(id).name == "asleep")
  }

  @Test func `in small steps is noticed as well`() throws {
    let host = try start()
    for _ in 0..<5 {
      set(by: .milliseconds(250))
      host.expirer.expire()
    }
    #expect(events.all == ["set by 1.0 seconds"])
  }

  @Test func `set back does not extend the idle time of a session that wakes without a request`()
    async throws
  {
    let id = try #require(try start().creator.create(.counting)).id
    let host = try start()
    set(by: .zero - hour)
    await clock.advance(by: .seconds(1))
    host.expirer.expire()
    host.waker.wake(id, isClientWaiting: false) { _ in }
    await clock.advance(by: .seconds(1_800))
    host.expirer.expire()
    #expect(host.directory.find(id).name == "ended")
  }

  @Test func `does not change the remaining time of sleeping sessions`() async throws {
    let id = try #require(try start().creator.create(.counting)).id
    let second = try start()
    set(by: hour)
    second.expirer.expire()
    let third = try start()
    third.expirer.expire()
    #expect(third.directory.find(id).name == "asleep")
    #expect(events.all == ["set by \(hour)"])
  }

  @Test func `that would expire every session is distrusted and reported`() async throws {
    let id = try #require(try start().creator.create(.counting)).id
    set(by: hour)
    let second = try start()
    #expect(events.all == ["distrusted \(hour)"])
    second.expirer.expire()
    await clock.advance(by: .seconds(1_799))
    second.expirer.expire()
    #expect(second.directory.find(id).name == "asleep")
    await clock.advance(by: .seconds(1))
    second.expirer.expire()
    #expect(second.directory.find(id).name == "ended")
  }

  @Test func `that is distrusted does not expire idempotency keys`() async throws {
    let first = try start()
    let session = try #require(try first.creator.create(.counting))
    let key = RequestKey("k", digest: [1])
    try session.submit(Array("5".utf8), key: key)
    set(by: hour * 25)
    let second = try start()
    second.waker.wake([session.id]) { _ in }
    await clock.idle()
    guard case .resident(let woken) = second.directory.find(session.id) else { throw Refused() }
    let repeated = try woken.submit(Array("5".utf8), key: key)
    guard case .complete = repeated else {
      Issue.record("\(repeated)")
      return
    }
    #expect(woken.feed.current.snapshot?.text == "5")
  }
}
