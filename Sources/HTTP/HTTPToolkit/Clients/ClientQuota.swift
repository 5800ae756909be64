package import FusionHTTPMessages
import Synchronization

/// A limit on the number of resources of one kind that each client holds at a time.
///
/// A client is an IPv4 address or the /64 network of an IPv6 site. Behind an untrusted proxy all clients look
/// like one, so clients in private networks are limited only by an explicit limit.
package final class ClientQuota: Sendable {
  private let limit: Int
  private let includesPrivateNetworks: Bool
  /// The number of slots of each client that holds any.
  private let taken = Mutex<[IPAddress: Int]>([:])

  /// Creates a quota; without a `limit`, the `usual` one applies, except to private networks.
  package init(limit: Int?, usual: Int) {
    self.limit = limit ?? usual
    includesPrivateNetworks = limit != nil
  }

  /// The error for a client that has reached its limit.
  package struct Full: Error {
    package let limit: Int
  }

  /// Takes a slot, which is freed with its last reference; nil if the client is not limited.
  package func take(for client: IPAddress?) throws(Full) -> ClientSlot? {
    guard let client, includesPrivateNetworks || !client.isPrivate else { return nil }
    let network = client.clientNetwork
    let isFull = taken.withLock { taken in
      guard taken[network, default: 0] < limit else { return true }
      taken[network, default: 0] += 1
      return false
    }
    if isFull { throw Full(limit: limit) }
    return ClientSlot(network, of: self)
  }

  fileprivate func free(_ network: IPAddress) {
    taken.withLock { taken in
      let count = taken[network, default: 1] - 1
      taken[network] = count == 0 ? nil : count
    }
  }
}

/// A slot in a client's quota, taken for as long as the object lives.
package final class ClientSlot: Sendable {
  private let client: IPAddress
  private let quota: ClientQuota

  fileprivate init(_ client: IPAddress, of quota: ClientQuota) {
    self.client = client
    self.quota = quota
  }

  deinit {
    quota.free(client)
  }
}

extension IPAddress {
  /// Whether the address belongs to a private network (RFC 6890), and so may be a proxy's.
  fileprivate var isPrivate: Bool {
    isLoopback || privateNetworks.contains { $0.contains(self) }
  }
}

private let privateNetworks = [
  "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "169.254.0.0/16", "100.64.0.0/10", "fc00::/7",
  "fe80::/10",
].compactMap(IPNetwork.init)

/// A limit on the rate of each client: a token bucket per client, with the tokens of one second.
///
/// A batch is admitted as soon as there is one token, and the remaining tokens are owed, so that no batch is
/// too long for a rate. A bucket is stored as the time at which it will be full (the generic cell rate
/// algorithm, ITU-T I.371).
package final class ClientRates: Sendable {
  private let perSecond: Int
  private let buckets = Mutex(Buckets())

  private struct Buckets {
    /// The time at which each bucket will be full; full ones are removed occasionally.
    var full: [IPAddress: Duration] = [:]
    /// The number of buckets at which the full ones are removed.
    var sweepAt = 1_024
  }

  package init(perSecond: Int) {
    self.perSecond = perSecond
  }

  /// The number of clients that have a bucket.
  package var count: Int { buckets.withLock { $0.full.count } }

  /// The error for a client that must wait.
  package struct Exceeded: Error {
    package let limit: Int
    package let wait: Duration
  }

  /// Takes `count` tokens; returns tokens if the count is negative.
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
