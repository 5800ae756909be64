/// The committed messages of one view model, in one queue for each receiver.
///
/// Has no side effects, except that it cancels tasks.
struct Outbox {
  /// The stored messages of a restored view model that does not run yet.
  var restored: [Alarm] = []
  /// The messages to each address; the first of a queue is being handed over.
  private var queues: [SessionAddress: FIFO<Message>] = [:]
  var tasks: [SessionAddress: Task<Void, Never>] = [:]
  /// The receivers whose answer is awaited; messages to the others wait for a retry.
  var awaited: Set<SessionAddress> = []
  /// The highest number of any message so far.
  private(set) var last: Int64 = 0

  mutating func note(_ number: Int64) { last = max(last, number) }

  /// Adds a message; returns the message if it is to be handed over now.
  mutating func add(_ message: Message) -> Message? {
    queues[message.address, default: FIFO()].append(message)
    return queues[message.address]?.count == 1 ? message : nil
  }

  /// Removes the first message to an address; returns the next one, to be handed over now.
  mutating func removeFirst(to address: SessionAddress) -> Message? {
    _ = queues[address]?.popFirst()
    tasks[address] = nil
    guard let next = queues[address]?.first else {
      queues[address] = nil
      return nil
    }
    return next
  }
}
