import Synchronization

/// A guard that accepts each request once: the sliding window of RFC 4303 §3.4.3, for each sending process.
///
/// The guard lives as long as this process. A nonce is for one lease of one process, so no later process accepts it
/// either.
final class ReplayGuard: Sendable {
  /// The number of a sender's requests that may overtake each other.
  static let width = 1 << 16
  /// The time for which a silent sender is remembered: its earlier requests are too old by then.
  private static let memory = 2 * NodeRequestVerifier.tolerance

  private struct Window {
    var newest: UInt64 = 0
    var seen = [UInt64](repeating: 0, count: ReplayGuard.width / 64)
    /// The time of the newest nonce.
    var time: Int64

    private func place(_ number: UInt64) -> (word: Int, bit: UInt64) {
      let place = Int(number % UInt64(ReplayGuard.width))
      return (place / 64, 1 << UInt64(place % 64))
    }

    mutating func accept(_ nonce: Nonce) -> Bool {
      time = max(time, nonce.time)
      let number = nonce.number
      if number > newest {
        for skipped in 1...min(number - newest, UInt64(ReplayGuard.width)) {
          let place = place(newest + skipped)
          seen[place.word] &= ~place.bit
        }
        newest = number
      } else if newest - number >= UInt64(ReplayGuard.width) {
        return false
      }
      let place = place(number)
      defer { seen[place.word] |= place.bit }
      return seen[place.word] & place.bit == 0
    }
  }

  private let windows = Mutex<[UInt64: Window]>([:])

  /// The number of senders that are remembered.
  var count: Int { windows.withLock { $0.count } }

  /// Returns whether a request, whose signature is valid, has not come before.
  func accept(_ nonce: Nonce) -> Bool {
    windows.withLock { windows in
      if windows[nonce.sender] == nil {
        let recent = windows.filter { $0.value.time > nonce.time - Self.memory }
        windows = recent
      }
      return windows[nonce.sender, default: Window(time: nonce.time)].accept(nonce)
    }
  }
}
