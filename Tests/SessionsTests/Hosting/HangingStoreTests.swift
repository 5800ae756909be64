import Testing
import UIFusionKit
import UIFusionTesting

@testable import FusionSessions

/// A host whose store does not answer, as with a disk that hangs.
struct `A host whose store hangs` {
  private let clock = TestClock()
  private let store = HeldStore()
  private let events = Tally()
  private let told = Tally()
  private let host: SessionHost

  init() {
    let events = events
    host = SessionHost(
      [.counting],
      dependencies: clock.dependencies,
      store: store,
      report: {
        switch $0 {
        case .storeHangs: events.add("hangs")
        case .storeFailed(let error): events.add("failed: \(error)")
        case .storeRecovered: events.add("recovered")
        default: break
        }
      }
    )
  }

  /// Returns a session with an Input whose commit hangs.
  private func hang() throws -> Session {
    let session = try #require(try host.creator.create(.counting))
    store.hold()
    try session.submit(Array("5".utf8), observer: Observer { told.add($0.name) })
    return session
  }

  @Test func `reports after five seconds, once, that it is not ready`() async throws {
    _ = try hang()
    await clock.advance(by: .milliseconds(4_999))
    #expect(host.health.isReachable && events.all.isEmpty)
    await clock.advance(by: .milliseconds(1))
    #expect(!host.health.isReachable && events.all == ["hangs"])
    await clock.advance(by: .seconds(4))
    #expect(events.all == ["hangs"] && told.all.isEmpty)
  }

  @Test func `is ready again if the store answers before the requests time out`() async throws {
    let session = try hang()
    await clock.advance(by: .seconds(9))
    store.release()
    #expect(host.health.isReachable && told.all == ["processed"])
    #expect(session.current?.text == "5")
    await clock.advance(by: .seconds(9))
    #expect(events.all == ["hangs"] && clock.sleepers == 0)
  }

  @Test func `answers that a result is in doubt after ten seconds, and resolves it later`()
    async throws
  {
    let session = try hang()
    await clock.advance(by: .seconds(10))
    #expect(told.all == ["failed: inDoubt"])
    #expect(events.all == ["hangs", "failed: inDoubt"])
    #expect(host.directory.isAsleep(session.id))
    host.waker.wake([session.id]) { [told] in told.add($0 == nil ? "woken" : "not yet") }
    await clock.idle()
    #expect(told.all.last == "not yet")
    store.release()
    #expect(!host.health.isReachable)
    // The next check of the store.
    await clock.advance(by: .seconds(1))
    store.release()
    await clock.idle()
    #expect(host.health.isReachable && events.all.last == "recovered")
    #expect(session.current?.text == "5")
    #expect(told.all == ["failed: inDoubt", "not yet"])
  }

  @Test func `answers requests that create or delete a session after ten seconds`() async throws {
    let session = try hang()
    host.creator.create(.counting) { [told] in
      if case .failure(StoreError.inDoubt) = $0 { told.add("create in doubt") }
    }
    host.ender.delete(session.id) { [told] in
      if case .failure(.store(.inDoubt)) = $0 { told.add("delete in doubt") }
    }
    await clock.advance(by: .seconds(10))
    #expect(told.all.sorted() == ["create in doubt", "delete in doubt", "failed: inDoubt"])
  }
}
