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
      change.name.messageNumber.map { beginNext(after: $0, to: address) }
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

  /// Hands over a message, and retries until the receiver has taken or refused it; then waits until the receiver has
  /// settled it, while the next message to that address is handed over.
  ///
  /// The message stays stored until then: after a crash, the sender is unsettled again.
  private func begin(_ message: Message) {
    alarms?.outbox.awaited.insert(message.address)
    alarms?.outbox.tasks[message.number] = Task.detached(executorPreference: pool) {
      [weak self, deliver = committer.deliverMessage, time] in
      var pause = Duration.milliseconds(100)
      var taken: (by: String, deadline: Duration)?
      while true {
        switch (await deliver(message, taken?.by), taken) {
        case (.delivered, _): return await self?.settle(message, isRefused: false) ?? ()
        case (.refused(let reason), nil):
          return await self?.settle(message, isRefused: true, because: reason) ?? ()
        case (.unsettled(let receiver), nil):
          guard await self?.awaitSettling(of: message) == true else {
            return await self?.settle(message, isRefused: false) ?? ()
          }
          taken = (receiver, time.now.adding(Self.longestSettling))
          continue
        case (.failed, nil): await self?.setAwaited(false, message.address)
        case (.refused, _?): return await self?.settle(message, isRefused: false) ?? ()
        case (.unsettled, let known?):
          if time.now >= known.deadline {
            return await self?.settle(message, isRefused: false) ?? ()
          }
          await self?.noteReach(of: message, true)
        case (.failed, let known?):
          taken = (known.by, time.now.adding(Self.longestSettling))
          await self?.noteReach(of: message, false)
        }
        guard (try? await time.sleep(for: pause)) != nil else { return }
        pause = min(pause * 2, .seconds(10))
        if taken == nil {
          guard await self?.setAwaited(true, message.address) == true else { return }
        }
      }
    }
  }

  /// The time after which a message counts as settled, whatever its receiver is still doing, unless that is out of reach.
  package static let longestSettling = Duration.seconds(60)

  /// Hands over the next message while the receiver of this one is at work on it; false if too many wait for that.
  private func awaitSettling(of message: Message) -> Bool {
    guard alarms?.outbox.mayAwaitSettling(of: message) == true else { return false }
    beginNext(after: message.number, to: message.address)
    return true
  }

  /// Notes whether a receiver that is at work is within reach: the engine may close while it waits for none.
  private func noteReach(of message: Message, _ isInReach: Bool) {
    alarms?.outbox.noteReach(of: message.number, isInReach)
  }

  /// Hands over the message behind one that its receiver has taken or refused.
  private func beginNext(after number: Int64, to address: SessionAddress) {
    if let next = alarms?.outbox.remove(number, to: address) { begin(next) }
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

  /// Removes a message that its receiver has settled or refused; the next one to that address waits for the
  /// commit.
  ///
  /// `reason` says why it is refused, if that is known.
  package func settle(_ message: Message, isRefused: Bool, because reason: String? = nil) {
    guard let book = alarms, book.cancel(message.name) else { return }
    book.outbox.forget(message.number)
    beginTurn()
    note(message.name, .handedOver(to: message.address, isRefused: isRefused))
    let held = book.outbox.takeHeld(by: message.name)
    if isRefused, let alarm = message.refusalAlarm(because: reason) {
      set(alarm)
      book.outbox.hold(held, until: alarm.name)
    } else {
      release(held)
    }
  }

  // MARK: Unsettled work

  /// Keeps the batches that have led to a message from settling before the message does.
  func hold(_ name: AlarmName, for batch: EffectGraph.BatchID?) {
    guard committer.actionCoding != nil else { return }
    let batches = batch.flatMap { graph.isSettled($0) ? nil : [$0] } ?? askingBatches
    for batch in batches { graph.retain(batch) }
    alarms?.outbox.hold(batches, until: name)
  }

  /// The batches that a view model without effects may be working for.
  private var askingBatches: [EffectGraph.BatchID] {
    if let ringing = alarms?.outbox.ringing { return [ringing] }
    if currentBatch.index != nil { return [currentID()] }
    return inputWork.values.filter(\.isCounted).map(\.id)
  }

  /// Releases the batches that a message, or the alarm of its refusal, has held.
  func releaseHeld(by name: AlarmName) {
    release(alarms?.outbox.takeHeld(by: name) ?? [])
  }

  /// Releases the batches that a batch, which has settled, has held.
  func releaseHeld(behind batch: EffectGraph.BatchID) {
    if let held = alarms?.outbox.takeHeld(behind: batch) { release(held) }
  }

  private func release(_ held: [EffectGraph.BatchID]) {
    for batch in held { release(batch) }
  }

  /// Whether messages of an earlier process are not settled.
  package var isSettlingRestored: Bool {
    alarms?.outbox.restoredBatch.map { !graph.isSettled($0) } ?? false
  }

  /// Whether a message to an address waits to be taken by its receiver.
  package func isHandingOver(to address: SessionAddress) -> Bool {
    alarms?.outbox.isHandingOver(to: address) == true
  }
}

/// The outcome of handing a message over.
package enum Delivery: Sendable, Equatable {
  /// The receiver has committed the Input, now or before, and has nothing to do for it any more.
  case delivered
  /// The receiver, of this id, has committed the Input, and is still at work for it, or about to reply.
  case unsettled(by: String)
  /// The receiver has ended, belongs to another identity, or never takes this Input; with a sentence that says why, if
  /// there is one.
  case refused(String?)
  /// The receiver may take it later.
  case failed
}
