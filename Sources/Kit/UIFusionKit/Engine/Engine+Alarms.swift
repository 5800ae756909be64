#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Sets, cancels and rings alarms.
extension Engine {
  /// Requests the processing of the alarm that is due first, after all waiting Inputs.
  ///
  /// The owner is notified once the turn is released, or the engine is closed. Does nothing if no alarm is
  /// due by then.
  package nonisolated func ring(_ owner: (any BatchOwner)? = nil) {
    let batch = InputBatch(alarmFor: owner)
    guard mailbox.addUncounted(batch) else { return batch.notify(.closed) }
    wake()
  }

  /// The alarms that are set, by time.
  package var setAlarms: [Alarm] { alarms?.all ?? [] }

  var wallTime: Int64 { date.milliseconds }

  // MARK: Setting

  /// Encodes the actions of the alarms that effects set, and the messages that they send.
  ///
  /// If an action cannot be encoded, or there would be too many alarms, rolls the turn back and returns the
  /// reason.
  func prepareAlarms(in effects: inout [EffectStep]) -> InvalidState? {
    guard effects.contains(where: \.concernsAlarms) else { return nil }
    var changes: [(name: AlarmName, alarm: Alarm?)] = []
    do throws(InvalidState) {
      effects = try encodingActions(of: effects, &changes)
      try (alarms ?? AlarmBook()).check(changes)
      return nil
    } catch {
      runner?.rollBack()
      _ = runner?.takeTrace()
      effects = []
      committer.report(error)
      return error
    }
  }

  private func encodingActions(
    of effects: [EffectStep],
    _ changes: inout [(name: AlarmName, alarm: Alarm?)]
  ) throws(InvalidState) -> [EffectStep] {
    try effects.map { (effect) throws(InvalidState) in
      try effect.mappingAlarms { (step, scope) throws(InvalidState) in
        switch step {
        case .cancel(let id):
          changes.append((AlarmName(id.within(scope)), nil))
          return step
        case .set(let id, let time, let action):
          let name = AlarmName(id.within(scope))
          let action = try encoded(action, "\(name)", scope.embed)
          changes.append((name, Alarm(name, at: 0, action.json ?? [], nil)))
          return .set(id, time, action)
        case .send(var message):
          message.input = try encoded(message.input, "of a message") { $0 }
          // A receiver could refuse a part of a batch.
          if message.input.json?.first == UInt8(ascii: "[") {
            throw .alarm(
              "of a message",
              reason: "its Input is a JSON array, which stands for a batch"
            )
          }
          message.refusal = try message.refusal.map { (refusal) throws(InvalidState) in
            try encoded(refusal, "of a refused message", scope.embed)
          }
          // Its number is known once it is sent.
          let alarm = Message(-1 - Int64(changes.count), message).alarm
          changes.append((alarm.name, alarm))
          return .send(message)
        }
      }
    }
  }

  private func encoded(
    _ action: AlarmAction,
    _ name: String,
    _ embed: (any Sendable) -> any Sendable
  ) throws(InvalidState) -> AlarmAction {
    guard let value = action.value.map(embed) else { return action }
    do {
      return try committer.actionCoding.map { .json(try $0.encode(value)) } ?? .value(value)
    } catch {
      throw .alarm(name, reason: "\(error)")
    }
  }

  /// Sets or cancels an alarm in this turn, or sends a message; returns the reason if the limits are exceeded
  /// by now.
  func carryOut(
    _ step: AlarmStep,
    within scope: EffectScope?,
    for batch: EffectGraph.BatchID?
  ) -> InvalidState? {
    let isForeign = batch?.isForeign == true
    let book = alarms ?? AlarmBook()
    var alarm: Alarm
    switch step {
    case .cancel(let id):
      cancelAlarm(AlarmName(id.within(scope)))
      return nil
    case .set(let id, let time, let action):
      let name = AlarmName(id.within(scope))
      alarm = Alarm(name, at: time.milliseconds(date), action.json ?? [], action.value)
      alarm.isForeign = isForeign
    case .send(let message):
      alarm = Message(nextMessageNumber(book), message, isForeign: isForeign).alarm
    }
    do throws(InvalidState) { try book.check([(alarm.name, alarm)]) } catch { return error }
    alarms = book
    set(alarm)
    if alarm.name.isMessage { hold(alarm.name, for: batch) }
    return nil
  }

  func set(_ alarm: Alarm) {
    alarms?.set(alarm)
    note(alarm.name, .set(alarm))
  }

  private func cancelAlarm(_ name: AlarmName) {
    if alarms?.cancel(name) == true { note(name, .cancelled) }
  }

  func cancelAlarms(within scope: EffectScope) {
    for name in alarms?.names(within: scope.name) ?? [] { cancelAlarm(name) }
  }

  /// Adds an alarm's change to the turn's result, which is then stored.
  func note(_ name: AlarmName, _ kind: AlarmChange.Kind) {
    append(name, kind)
    turn.asksForWork = true
    guard watch != nil, name != .foreignFollowings else { return }
    if case .alarm(let change)? = turn.work.last { note(.alarm(change)) }
  }

  private func append(_ name: AlarmName, _ kind: AlarmChange.Kind) {
    let isAnySet = alarms?.isEmpty == false
    turn.work.append(
      .alarm(AlarmChange(name: name, kind: kind, next: alarms?.next, isAnySet: isAnySet))
    )
  }

  /// Starts an effect that fails, for an alarm that a group or a throttle set too late to reject its Input.
  func startFailing(
    _ failure: InvalidState,
    for batch: EffectGraph.BatchID?,
    _ scope: EffectScope?
  ) {
    let run = EffectRun(work: .operation { _ in throw failure })
    let step = (scope?.links ?? []).reversed().reduce(EffectStep.run(run)) { .child($1, $0) }
    turn.asksForWork = true
    change { $0.start(step, for: batch) }
  }

  // MARK: Ringing

  /// Processes the alarm that is due first, or a followed session's newest State; returns false if an Input
  /// must end first.
  func ring(_ batch: InputBatch, by runner: any TurnRunner) -> Bool {
    guard !isBusy else { return false }
    noteRun(batch.code)
    mailbox.removeFirst(countingOff: 0)
    isForeign = false
    if runner.suspends, hasAction(batch) {
      let id = graph.begin()
      request(InputWork(batch: batch, index: 0, id: id, policy: .inOrder, report: nil))
      release(id)
      return true
    }
    let taken = takeAction(of: batch)
    let id = graph.begin(isForeign: isForeign)
    alarms?.outbox.holdRung(until: id)
    if let taken {
      alarms?.outbox.ringing = id
      defer { alarms?.outbox.ringing = nil }
      let began = turnBegin
      defer { reportIfSlow(since: began) { caseName(of: taken.action) } }
      var effects = taken.within { runner.apply($0) }
      let refusal = prepareAlarms(in: &effects)
      // The alarm is removed even if its turn is rolled back, or it would ring forever.
      if publish() ?? refusal == nil, !effects.isEmpty { start(effects, for: id, nil) }
    }
    processed.append((batch, id))
    release(id)
    return true
  }

  private func hasAction(_ batch: InputBatch) -> Bool {
    if batch.recorded != nil { return true }
    if let id = batch.following { return alarms?.following?.isWaiting(id) == true }
    return alarms?.due(by: wallTime) != nil
  }

  /// Takes the action that a batch without Inputs stands for; nil if it was taken or withdrawn before.
  func takeAction(of batch: InputBatch) -> TakenAction? {
    if let recorded = batch.recorded { return TakenAction(action: recorded) }
    guard let id = batch.following else { return takeDueAction() }
    return takeFollowedAction(id).map { TakenAction(action: $0, followed: id.address) }
  }

  /// Takes the action of the alarm that is due first; the turn removes the alarm.
  private func takeDueAction() -> TakenAction? {
    let now = wallTime
    while let book = alarms, let alarm = book.due(by: now) {
      noteRun(.alarm, alarm.name.shown.bytes)
      do {
        var action = alarm.value
        if action == nil { action = try committer.actionCoding?.decode(alarm.action) }
        book.cancel(alarm.name)
        note(alarm.name, .rang(late: alarm.name.isRefusal ? 0 : now - alarm.time))
        if alarm.name.isRefusal { book.outbox.rung = book.outbox.takeHeld(by: alarm.name) }
        isForeign = alarm.isForeign
        if let action { return TakenAction(action: action, refusal: alarm.name.refusalReason) }
      } catch {
        book.skip(alarm)
        releaseHeld(by: alarm.name)
        committer.report(.alarm("\(alarm.name.shown)", reason: "\(error)"))
      }
    }
    // The caller rang because an alarm seemed due; this entry corrects it.
    append(AlarmName(""), .kept)
    return nil
  }

  // MARK: In process

  /// Waits for the alarm that is due first, if no host rings it.
  func waitForAlarms() {
    guard committer.actionCoding == nil, let book = alarms else { return }
    book.timer?.cancel()
    book.timer = nil
    guard let next = book.next else { return }
    let deadline = time.now.adding(max(.zero, .milliseconds(next - wallTime)))
    book.timer = Task.detached(executorPreference: pool) { [weak self, time] in
      guard (try? await time.sleep(until: deadline)) != nil else { return }
      self?.ring()
    }
  }
}
