/// Effects, and the actions that they send.
extension Engine {
  func start(_ effects: [EffectStep], for root: Ledger.Root?) {
    change { ledger, commands in
      for effect in effects { ledger.start(effect, for: root, &commands) }
    }
  }

  /// Changes the ledger, and carries out what it commands.
  func change(_ body: (inout Ledger, inout [Ledger.Command]) -> Void) {
    var commands: [Ledger.Command] = []
    body(&ledger, &commands)
    for command in commands {
      switch command {
      case .start(let token, let work): held.append(Start(token: token, work: work))
      case .stop(let token): stop(token)
      case .take(let action, let root): actions.append(SentAction(action: action, root: root))
      case .settled(let root): settled.append(root)
      }
    }
  }

  /// Starts what is held, or hands it to the gate.
  func releaseHeld() {
    guard !held.isEmpty else { return }
    defer { held = [] }
    guard let passage else { return start(held) }
    passage.hold(held, for: self)
  }

  func start(_ starts: [Start]) {
    // What was cancelled meanwhile does not even begin.
    for start in starts where ledger.isLive(start.token) {
      tasks[start.token] = task(for: start.work, start.token)
    }
  }

  private func task(for work: EffectRun.Work, _ token: Ledger.Token) -> Task<Void, Never> {
    let time = time
    // Weak: what runs keeps nothing alive, and ends with the engine.
    let send: @concurrent @Sendable (any Sendable) async -> Void = { [weak self] action in
      await self?.take(action, from: token, isLast: false)
    }
    let now = time.now
    return Task.detached(executorPreference: pool) { [weak self] in
      var failure: SendableError?
      do {
        switch work {
        case .operation(let operation): if !Task.isCancelled { try await operation(send) }
        case .action(let operation):
          if !Task.isCancelled, let action = try await operation() {
            await self?.take(action, from: token, isLast: true)
          }
        case .pause(let duration): try await time.sleep(until: now + duration)
        case .ticks(let interval, let action):
          var next = now + interval
          while true {
            try await time.sleep(until: next)
            await send(action)
            next += interval
          }
        }
      } catch is CancellationError {
      } catch {
        failure = SendableError(error)
      }
      await self?.end(token, failure)
    }
  }

  /// Takes an action that a running effect sends, after those that came before it.
  private func take(_ action: any Sendable, from token: Ledger.Token, isLast: Bool) {
    guard ledger.isLive(token) else { return }
    let root = ledger.root(of: token)
    ledger.hold(root)
    actions.append(SentAction(action: action, root: root, sender: token, isLast: isLast))
    takeActions()
  }

  /// Cancels an effect's work; what it has sent and was not taken yet is not taken any more.
  private func stop(_ token: Ledger.Token) {
    tasks.removeValue(forKey: token)?.cancel()
    guard !actions.isEmpty else { return }
    for action in actions.removeAll(where: { $0.sender == token }) { release(action.root) }
  }

  /// An effect's work is over.
  private func end(_ token: Ledger.Token, _ failure: SendableError?) {
    guard ledger.isLive(token) else { return }
    tasks[token] = nil
    let root = ledger.root(of: token)
    let effects = failure.flatMap { turns?.handle($0) } ?? []
    change { ledger, commands in
      // Over before its error is answered: a new try under its id must not find it running.
      ledger.hold(root)
      ledger.end(token, &commands)
      for effect in effects { ledger.start(effect, for: root, &commands) }
      ledger.release(root, &commands)
    }
    if failure != nil { publish() }
    releaseHeld()
    takeActions()
  }

  /// Takes the actions that are there, each as a turn of its own, up to a number of them.
  func takeActions() {
    for _ in 0..<64 {
      guard let turns, !isHeldUp, let sent = actions.popFirst() else { return }
      let effects = turns.apply(sent.action)
      if !effects.isEmpty { start(effects, for: sent.root) }
      publish(after: sent.isLast ? sent.sender : nil)
      releaseHeld()
      release(sent.root)
    }
    _ = queue.signal()
  }
}
