import FusionHTTPMessages
import FusionSessions
import Synchronization
import UIFusionKit

/// How fast each client sends Inputs: a token bucket for each, which holds those of one second.
///
/// A batch is taken as soon as there is one token, and the rest of it is owed: no batch is too long for a
/// rate. What is kept is when a bucket will be full (the generic cell rate algorithm, ITU-T I.371).
final class InputRates: Sendable {
  let perSecond: Int
  private let buckets = Mutex(Buckets())

  private struct Buckets {
    /// When each will be full again; those that are full are left out, at times.
    var full: [IPAddress: Duration] = [:]
    /// At how many those that are full are dropped.
    var sweepAt = 1_024
  }

  init(perSecond: Int) {
    self.perSecond = perSecond
  }

  /// How many clients it remembers.
  var count: Int { buckets.withLock { $0.full.count } }

  /// The client has to wait.
  struct Exceeded: Error {
    let limit: Int
    let wait: Duration
  }

  /// Takes tokens, one for each Input; gives back as many where the count is negative.
  func take(_ count: Int, for client: IPAddress, now: Duration) throws(Exceeded) {
    let client = client.clientNetwork
    let interval = Duration.seconds(1) / perSecond
    let wait = buckets.withLock { buckets in
      if buckets.full.count >= buckets.sweepAt {
        buckets.full = buckets.full.filter { $0.value > now }
        buckets.sweepAt = max(1_024, buckets.full.count * 2)
      }
      let full = max(buckets.full[client] ?? now, now)
      let wait = count < 0 ? .zero : full + interval - now - .seconds(1)
      if wait <= .zero { buckets.full[client] = full + interval * count }
      return wait
    }
    if wait > .zero { throw Exceeded(limit: perSecond, wait: wait) }
  }
}

extension SessionAPI {
  /// Lets the client of a request send so many Inputs now, unless it has sent too many.
  ///
  /// They count at the node that the client asks, whichever has the session.
  func admitInputs(_ count: Int, of request: HTTPRequest) throws(InputRates.Exceeded) {
    guard let inputRates, !request.isFromNode, let client = request.connection.client else { return }
    try inputRates.take(count, for: client, now: host.dependencies.time.now)
  }
}
