/// The committed messages of one view model, in one queue for each receiver.
///
/// Has no side effects, except that it cancels tasks.
struct Outbox {
  /// The stored messages of a restored view model that does not run yet.
  var restored: [Alarm] = []
  /// The messages to each address; the first of a queue is being handed over.
  private var queues: [SessionAddress: FIFO<Message>] = [:]
  /// The task of each message that is being handed over, or whose receiver is at work on it, by the message's number.
  var tasks: [Int64: Task<Void, Never>] = [:]
  /// The receivers whose answer is awaited; messages to the others wait for a retry.
  var awaited: Set<SessionAddress> = []
  /// The sizes in bytes of the messages whose receivers are at work on them, by the messages' numbers.
  private var settling: [Int64: Int] = [:]
  /// The numbers of those whose receivers are out of reach.
  private var outOfReach: Set<Int64> = []
  /// The highest number of any message so far.
  private(set) var last: Int64 = 0
  /// The batches that are not settled before a message is, or the alarm of its refusal has rung.
  private var holds: [AlarmName: [EffectGraph.BatchID]] = [:]
  /// The batches that the refusal's alarm has held whose action is about to be performed.
  var rung: [EffectGraph.BatchID] = []
  /// The batches that are not settled before the work is that a refusal's action has begun.
  private var followers: [EffectGraph.BatchID: [EffectGraph.BatchID]] = [:]

  mutating func note(_ number: Int64) { last = max(last, number) }

  /// Adds a message; returns the message if it is to be handed over now.
  mutating func add(_ message: Message) -> Message? {
    queues[message.address, default: FIFO()].append(message)
    return queues[message.address]?.count == 1 ? message : nil
  }

  /// Removes a message that is the first to its address; returns the next one, to be handed over now.
  ///
  /// Does nothing to a message that is not in its queue any more.
  mutating func remove(_ number: Int64, to address: SessionAddress) -> Message? {
    guard queues[address]?.first?.number == number else { return nil }
    awaited.remove(address)
    _ = queues[address]?.popFirst()
    guard let next = queues[address]?.first else {
      queues[address] = nil
      return nil
    }
    return next
  }

  /// Whether a message to an address waits to be taken by its receiver.
  func isHandingOver(to address: SessionAddress) -> Bool {
    queues[address] != nil || restored.contains { Message($0)?.address == address }
  }

  // MARK: Taken messages

  /// The maximum number of taken messages that stay stored, and their total size in bytes: what is taken must not use up
  /// the limits of what is not.
  static let settlingLimit = (count: AlarmBook.countLimit / 10, bytes: AlarmBook.byteLimit / 4)

  /// Whether a message that its receiver has taken may stay stored until it is settled.
  mutating func mayAwaitSettling(of message: Message) -> Bool {
    let size = message.alarm.size
    let bytes = settling.values.reduce(size, +)
    guard settling.count < Self.settlingLimit.count, bytes <= Self.settlingLimit.bytes else {
      return false
    }
    settling[message.number] = size
    return true
  }

  /// Notes whether the receiver of a taken message is within reach.
  mutating func noteReach(of number: Int64, _ isInReach: Bool) {
    if isInReach { outOfReach.remove(number) } else { outOfReach.insert(number) }
  }

  /// Forgets a message that is settled or refused.
  mutating func forget(_ number: Int64) {
    (tasks[number], settling[number]) = (nil, nil)
    outOfReach.remove(number)
  }

  /// Whether a receiver is about to answer: it is asked now, or is within reach and at work.
  var awaitsReceiver: Bool { !awaited.isEmpty || settling.count > outOfReach.count }

  // MARK: Unsettled work

  /// The batch of the alarm whose action is being performed by a view model that does not suspend.
  var ringing: EffectGraph.BatchID?
  /// The batch of the messages that an earlier process has sent.
  var restoredBatch: EffectGraph.BatchID?

  /// The number of times that batches are held.
  var holdCount: Int {
    holds.values.reduce(0) { $0 + $1.count } + followers.values.reduce(0) { $0 + $1.count }
  }

  /// Holds a batch, which the caller retains so often, until all messages on their way are settled; returns their number.
  mutating func holdUntilSettled(_ batch: EffectGraph.BatchID) -> Int {
    for name in holds.keys { holds[name]?.append(batch) }
    return holds.count
  }

  /// Holds batches, which the caller has retained, until a message is settled.
  mutating func hold(_ batches: [EffectGraph.BatchID], until name: AlarmName) {
    if !batches.isEmpty { holds[name] = batches }
  }

  /// Returns the batches that a message, or the alarm of its refusal, does not hold any longer.
  mutating func takeHeld(by name: AlarmName) -> [EffectGraph.BatchID] {
    holds.removeValue(forKey: name) ?? []
  }

  /// Holds the batches of a refusal whose action is performed until a batch is settled.
  mutating func holdRung(until batch: EffectGraph.BatchID) {
    if !rung.isEmpty { followers[batch] = rung }
    rung = []
  }

  /// Returns the batches that a batch, which has settled, does not hold any longer.
  mutating func takeHeld(behind batch: EffectGraph.BatchID) -> [EffectGraph.BatchID] {
    followers.isEmpty ? [] : followers.removeValue(forKey: batch) ?? []
  }
}
