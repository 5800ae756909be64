package import FusionHTTPMessages
import Synchronization

/// A limit on how many things of one kind each client may have at a time.
///
/// A client is an address, or the 64-bit network that a site has of IPv6. Behind a proxy that is not trusted all
/// clients are one, so clients in private networks are limited only where a limit is asked for.
package final class ClientQuota: Sendable {
  private let limit: Int
  private let includesPrivateNetworks: Bool
  /// The counts of clients that have any.
  private let taken = Mutex<[IPAddress: Int]>([:])

  /// Creates a quota; without a `limit` the `usual` one holds, but not in private networks.
  package init(limit: Int?, usual: Int) {
    self.limit = limit ?? usual
    includesPrivateNetworks = limit != nil
  }

  /// The error of a client that has as many as it may.
  package struct Full: Error {
    package let limit: Int
  }

  /// Takes a slot, which is free again when its last reference goes; nil where the client has no limit.
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

/// A slot of a client's quota, taken for as long as the object lives.
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
  /// Whether the address has a meaning only within one private network (RFC 6890): it may be a proxy's.
  fileprivate var isPrivate: Bool {
    isLoopback || privateNetworks.contains { $0.contains(self) }
  }
}

private let privateNetworks = [
  "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "169.254.0.0/16", "100.64.0.0/10", "fc00::/7",
  "fe80::/10",
].compactMap(IPNetwork.init)

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
