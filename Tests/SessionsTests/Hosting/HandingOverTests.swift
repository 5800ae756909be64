import FusionStoreDoubles
import Testing
import UIFusionKit
import UIFusionTesting

@testable import FusionSessions

struct `A host that delivers a message` {
  private let host = SessionHost([.counting], dependencies: TestClock().dependencies)
  private let envelope = Envelope(
    message: Message(1_024, to: .id("b"), Array("1".utf8)),
    sender: SessionID(high: 1, low: 2),
    identity: nil
  )

  @Test func `fails until it is connected`() async {
    #expect(await host.connections.functions.deliver(envelope) == .failed)
    host.connections.connect { $0.key == "\($0.sender).i.1024" ? .refused(nil) : .delivered }
    #expect(await host.connections.functions.deliver(envelope) == .refused(nil))
  }

  @Test func `does not trust a refusal by a receiver that closes with the process`() async {
    host.connections.connect { [weak host] _ in
      host?.closeAll()
      return .refused(nil)
    }
    #expect(await host.connections.functions.deliver(envelope) == .failed)
  }
}
