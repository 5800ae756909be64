import Synchronization

/// Those who have subscribed to one topic here, with one type: all get the same values in the same order.
///
/// Values are of that type, though no code here depends on it: it would run unspecialised, many times slower.
final class Audience: Sendable {
  private struct Contents {
    /// In the order in which they subscribed.
    var buffers: [TopicBuffer] = []
    /// By sender: the newest that has arrived, or that had arrived by the time when this began.
    var arrived: [UInt64: UInt64]
  }

  let type: any Sendable.Type
  private let decode: @Sendable ([UInt8], any TopicRelay) -> (any Sendable)?
  private let contents: Mutex<Contents>

  /// Nobody yet, who will not hear what was sent before these.
  init<Value: Codable & Sendable>(of type: Value.Type, after arrived: [UInt64: UInt64]) {
    self.type = type
    decode = { bytes, relay in relay.decode(Value.self, from: bytes) }
    contents = Mutex(Contents(arrived: arrived))
  }

  var count: Int { contents.withLock { $0.buffers.count } }

  func add(_ buffer: TopicBuffer) {
    contents.withLock { $0.buffers.append(buffer) }
  }

  func remove(_ buffer: TopicBuffer) {
    contents.withLock { contents in
      guard let index = contents.buffers.firstIndex(where: { $0 === buffer }) else { return }
      contents.buffers.remove(at: index)
    }
  }

  /// Hears a value that was published here.
  func hear(_ value: any Sendable) {
    let waiting = contents.withLock { contents in
      contents.buffers.compactMap { $0.add(value) }
    }
    // Without the lock: an executor may run them at once, and they may publish.
    for continuation in waiting { continuation.resume(returning: value) }
  }

  /// Hears a message of another node, unless it or a later one has come before.
  func hear(_ message: TopicMessage, by relay: any TopicRelay) {
    let value = decode(message.bytes, relay)
    let waiting: [TopicBuffer.Waiting] = contents.withLock { contents in
      guard message.sequence > contents.arrived[message.sender, default: 0] else { return [] }
      contents.arrived[message.sender] = message.sequence
      if let value { return contents.buffers.compactMap { $0.add(value) } }
      for buffer in contents.buffers { buffer.miss() }
      return []
    }
    for continuation in waiting { continuation.resume(returning: value) }
  }
}
