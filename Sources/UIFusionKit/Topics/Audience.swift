import Synchronization

/// Those who have subscribed to one topic here, with one type: all get the same values in the same order.
final class Audience<Value: Codable & Sendable>: Sendable {
  private struct Contents {
    /// In the order in which they subscribed.
    var buffers: [TopicBuffer<Value>] = []
    /// By sender: the newest that has arrived, or that had arrived by the time when this began.
    var arrived: [UInt64: UInt64]
  }

  private let contents: Mutex<Contents>

  /// Nobody yet, who will not hear what was sent before these.
  init(after arrived: [UInt64: UInt64]) {
    contents = Mutex(Contents(arrived: arrived))
  }

  var count: Int { contents.withLock { $0.buffers.count } }

  func add(_ buffer: TopicBuffer<Value>) {
    contents.withLock { $0.buffers.append(buffer) }
  }

  func remove(_ buffer: TopicBuffer<Value>) {
    contents.withLock { contents in
      guard let index = contents.buffers.firstIndex(where: { $0 === buffer }) else { return }
      contents.buffers.remove(at: index)
    }
  }

  func hear(_ value: Value) {
    let waiting = contents.withLock { contents in
      contents.buffers.compactMap { $0.add(value) }
    }
    // Without the lock: an executor may run them at once, and they may publish.
    for continuation in waiting { continuation.resume(returning: value) }
  }
}

extension Audience: ListeningToMessages {
  func hear(_ message: TopicMessage, by relay: any TopicRelay) {
    let value = relay.decode(Value.self, from: message.bytes)
    let waiting: [TopicBuffer<Value>.Waiting] = contents.withLock { contents in
      guard message.sequence > contents.arrived[message.sender, default: 0] else { return [] }
      contents.arrived[message.sender] = message.sequence
      if let value { return contents.buffers.compactMap { $0.add(value) } }
      for buffer in contents.buffers { buffer.miss() }
      return []
    }
    guard let value else { return }
    for continuation in waiting { continuation.resume(returning: value) }
  }
}

/// An audience, of whatever type.
protocol ListeningToMessages: AnyObject, Sendable {
  /// Hears a message of another node, unless it or a later one has come before.
  func hear(_ message: TopicMessage, by relay: any TopicRelay)
}
