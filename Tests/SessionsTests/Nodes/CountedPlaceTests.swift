import FusionStoreDoubles
import Testing
import UIFusionTesting

@testable import FusionSessions

/// The number of a client's sessions on shared nodes.
struct `A client's place for a session` {
  private let clock = TestClock()
  private let a: NodeUnderTest
  private let b: NodeUnderTest

  init() async {
    let clock = clock
    let memory = SharedMemory { clock.now }
    a = NodeUnderTest("a", memory, clock)
    b = NodeUnderTest("b", memory, clock)
    await clock.idle()
  }

  @Test func `is freed once the session has been elsewhere for the idle time`() async throws {
    let viewModel = try #require(a.host.viewModels.named("counting"))
    weak var place: Place?
    let id: SessionID
    do {
      let object = Place()
      place = object
      id = try #require(try a.host.creator.create(viewModel, attaching: object)).id
    }
    await clock.advance(by: .seconds(3_600))
    await a.putIdleToSleep()
    #expect(await b.find(id) == "live")
    a.host.expirer.expire()
    #expect(place != nil)
    await clock.advance(by: a.host.limits.idleTime - .seconds(1))
    a.host.expirer.expire()
    #expect(place != nil)
    await clock.advance(by: .seconds(1))
    a.host.expirer.expire()
    #expect(place == nil)
  }

  private final class Place: Sendable {}
}
