import FusionHTTPMessages
import Synchronization

/// How much of a kind each client has: sessions, or streams.
final class ClientQuota: Sendable {
  /// Of one client.
  let limit: Int
  private let areForPrivateNetworks: Bool
  /// Of clients that have any.
  private let taken = Mutex<[IPAddress: Int]>([:])

  /// Without a limit the usual one holds, but not in private networks.
  init(limit: Int?, usual: Int) {
    self.limit = limit ?? usual
    areForPrivateNetworks = limit != nil
  }

  /// A client has as many as it may.
  struct Full: Error {
    let limit: Int
  }

  /// Takes a place, which is free again when nobody keeps it any more; nil where the client has no limit.
  func take(for client: IPAddress?) throws(Full) -> ClientSlot? {
    guard let client, areForPrivateNetworks || !client.isPrivate else { return nil }
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

/// One of a client's places, for as long as it is kept.
final class ClientSlot: Sendable {
  private let client: IPAddress
  private let places: ClientQuota

  fileprivate init(_ client: IPAddress, of places: ClientQuota) {
    self.client = client
    self.places = places
  }

  deinit {
    places.free(client)
  }
}
