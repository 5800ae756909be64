/// The identity of a request between nodes: receiver, sender, number and time.
struct Nonce: Sendable, Equatable {
  /// The number of the node that the request is for; no other node accepts it.
  var addressee: Int64
  /// The sending process: 64 random bits.
  var sender: UInt64
  /// The number of the request among those of its sender.
  var number: UInt64
  /// The time by the sender's calendar, in milliseconds since 1970.
  var time: Int64

  init(addressee: Int64, sender: UInt64, number: UInt64, time: Int64) {
    self.addressee = addressee
    self.sender = sender
    self.number = number
    self.time = time
  }

  /// Reads the one spelling of a nonce; returns nil for anything else.
  init?(_ text: String) {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 4, let addressee = Int64(parts[0]),
      let sender = UInt64(parts[1], radix: 16), let number = UInt64(parts[2]),
      let time = Int64(parts[3])
    else { return nil }
    self.init(addressee: addressee, sender: sender, number: number, time: time)
    guard self.text == text else { return nil }
  }

  var text: String { "\(addressee)-\(String(sender, radix: 16))-\(number)-\(time)" }
}
