import Synchronization
package import UIFusionKit

/// Messages between sessions.
extension SessionHost {
  /// Sets the function that hands messages over; they wait until it is set, and from ``closeAll()`` on.
  package func connect(_ handOver: @escaping @Sendable (Envelope) async -> Delivery) {
    connection.withLock { $0 = handOver }
  }

  func handOver(_ envelope: Envelope) async -> Delivery {
    guard let handOver = connection.withLock({ $0 }) else { return .failed }
    let outcome = await handOver(envelope)
    // A session that ends with its process is not over, though it says so.
    return connection.withLock { $0 == nil } ? .failed : outcome
  }

  /// Reports a change of an alarm, or of a message.
  func changed(_ id: SessionID, _ change: AlarmChange) {
    switch change.kind {
    case .rang(let late): report(.rang(id, late: .milliseconds(late)))
    case .handedOver(_, let isRefused): report(.message(id, isRefused ? .refused : .delivered))
    case .set: if change.name.isMessage { report(.message(id, .sent)) }
    case .cancelled, .kept: break
    }
  }
}
