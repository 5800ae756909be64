/// The messages of one view model whose turns are committed, each behind those before it to its address.
///
/// Pure, but for the tasks that it cancels.
struct Outbox {
  /// The stored messages of a view model that was restored, until it runs.
  var restored: [Alarm] = []
  /// The messages to each address, of which the first one is being handed over.
  private var queues: [SessionAddress: FIFO<Message>] = [:]
  var tasks: [SessionAddress: Task<Void, Never>] = [:]
  /// The addresses of which an answer is awaited: what was sent to the others waits to be tried again.
  var awaited: Set<SessionAddress> = []
  /// The number of the last message.
  private(set) var last: Int64 = 0

  mutating func note(_ number: Int64) { last = max(last, number) }

  /// Adds a message; returns it if it is to be handed over now.
  mutating func add(_ message: Message) -> Message? {
    queues[message.address, default: FIFO()].append(message)
    return queues[message.address]?.count == 1 ? message : nil
  }

  /// Removes the first message to an address; returns the next one, which is to be handed over now.
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
