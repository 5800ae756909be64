import Synchronization

/// The local subscribers to one topic with one type; all get the same values in the same order.
///
/// The type is erased: generic code would run unspecialized here, many times slower.
final class TopicSubscribers: Sendable {
  private struct Contents {
    /// The buffers, in the order of subscription.
    var buffers: [TopicBuffer] = []
    /// The newest sequence number of each sender that was delivered, or came before the first
    /// subscription.
    var newest: [UInt64: UInt64]
  }

  let type: any Sendable.Type
  private let decode: @Sendable ([UInt8], any TopicRelay) -> (any Sendable)?
  private let contents: Mutex<Contents>

  /// Creates an empty group that ignores messages up to the given sequence numbers of their senders.
  init<Value: Codable & Sendable>(of type: Value.Type, after newest: [UInt64: UInt64]) {
    self.type = type
    decode = { bytes, relay in relay.decode(Value.self, from: bytes) }
    contents = Mutex(Contents(newest: newest))
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

  /// Delivers a value that was published on this node.
  func deliver(_ value: any Sendable) {
    let waiting = contents.withLock { contents in
      contents.buffers.compactMap { $0.add(value) }
    }
    // Outside the lock: an executor may run the tasks at once, and they may publish.
    for continuation in waiting { continuation.resume(returning: value) }
  }

  /// Delivers a message of another node, unless it or a later one was delivered before.
  func deliver(_ message: TopicMessage, by relay: any TopicRelay) {
    let value = decode(message.bytes, relay)
    let waiting: [TopicBuffer.Waiting] = contents.withLock { contents in
      guard message.sequence > contents.newest[message.sender, default: 0] else { return [] }
      contents.newest[message.sender] = message.sequence
      if let value { return contents.buffers.compactMap { $0.add(value) } }
      for buffer in contents.buffers { buffer.miss() }
      return []
    }
    for continuation in waiting { continuation.resume(returning: value) }
  }
}
