package import FusionHTTPMessages
import Synchronization

/// A limit on how fast each client sends: a token bucket for each, which holds the tokens of one second.
///
/// A batch is taken as soon as there is one token, and the rest of it is owed, so no batch is too long for a rate. A
/// bucket is kept as the time at which it will be full (the generic cell rate algorithm, ITU-T I.371).
package final class ClientRates: Sendable {
  private let perSecond: Int
  private let buckets = Mutex(Buckets())

  private struct Buckets {
    /// The time at which each bucket will be full again; full ones are removed from time to time.
    var full: [IPAddress: Duration] = [:]
    /// The number of buckets at which full ones are removed.
    var sweepAt = 1_024
  }

  package init(perSecond: Int) {
    self.perSecond = perSecond
  }

  /// The number of clients that are remembered.
  package var count: Int { buckets.withLock { $0.full.count } }

  /// The error of a client that has to wait.
  package struct Exceeded: Error {
    package let limit: Int
    package let wait: Duration
  }

  /// Takes `count` tokens; gives tokens back where the count is negative.
  package func take(_ count: Int, for client: IPAddress, now: Duration) throws(Exceeded) {
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
