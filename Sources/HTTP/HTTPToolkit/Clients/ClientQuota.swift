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

  /// - Parameters:
  ///   - limit: for every client; nil for `usual`, and no limit in private networks.
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

/// One slot of a client's quota, taken for as long as the object lives.
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
