/// Hands messages over to their receivers.
extension Engine {
  /// The waiting messages, in order.
  package var waitingMessages: [Message] { alarms?.messages ?? [] }

  /// Returns the number of the next message, which no earlier process can have used.
  ///
  /// It is at least the number of this turn's entry times 1,024, and a turn sends fewer messages than that.
  func nextMessageNumber(_ book: AlarmBook) -> Int64 {
    max(book.outbox.last + 1, Int64(committer.sequence + 1) << 10)
  }

  /// Hands over the messages of a committed change, and those that were restored.
  func handOver(_ change: AlarmChange) {
    guard committer.actionCoding != nil, let book = alarms else { return }
    var sent = book.outbox.restored
    book.outbox.restored = []
    switch change.kind {
    case .set(let alarm): if alarm.name.isMessage { sent.append(alarm) }
    case .handedOver(let address, _):
      // Only after the commit: if the process ended before it, this refused message would be sent again after
      // a later one, and its receiver would take it for a duplicate.
      if let next = book.outbox.removeFirst(to: address) { begin(next) }
    case .cancelled, .rang, .kept: break
    }
    for alarm in sent {
      guard let message = Message(alarm) else {
        committer.report(.alarm("of a message", reason: "another build has sent it"))
        continue
      }
      if let first = book.outbox.add(message) { begin(first) }
    }
  }

  /// Hands over a message, and retries until the receiver has taken or refused it.
  private func begin(_ message: Message) {
    alarms?.outbox.awaited.insert(message.address)
    alarms?.outbox.tasks[message.address] = Task.detached(executorPreference: pool) {
      [weak self, deliver = committer.deliverMessage, time] in
      var pause = Duration.milliseconds(100)
      while true {
        switch await deliver(message) {
        case .delivered: return await self?.settle(message, isRefused: false) ?? ()
        case .refused: return await self?.settle(message, isRefused: true) ?? ()
        case .failed: await self?.setAwaited(false, message.address)
        }
        guard (try? await time.sleep(for: pause)) != nil else { return }
        pause = min(pause * 2, .seconds(10))
        guard await self?.setAwaited(true, message.address) == true else { return }
      }
    }
  }

  /// Notes whether a receiver's answer is awaited; returns whether the engine is open.
  @discardableResult
  private func setAwaited(_ isAwaited: Bool, _ address: SessionAddress) -> Bool {
    if isAwaited {
      alarms?.outbox.awaited.insert(address)
    } else {
      alarms?.outbox.awaited.remove(address)
    }
    return alarms != nil
  }

  /// Removes a message that its receiver has taken or refused; the next one to that address waits for the
  /// commit.
  package func settle(_ message: Message, isRefused: Bool) {
    alarms?.outbox.awaited.remove(message.address)
    guard let book = alarms, book.cancel(message.name) else { return }
    beginTurn()
    note(message.name, .handedOver(to: message.address, isRefused: isRefused))
    if isRefused, let alarm = message.refusalAlarm(at: wallTime) { set(alarm) }
  }
}

/// The outcome of handing a message over.
package enum Delivery: Sendable {
  /// The receiver has committed the Input, now or before.
  case delivered
  /// The receiver has ended, belongs to another identity, or never takes this Input.
  case refused
  /// The receiver may take it later.
  case failed
}
