/// What a program has to lead to, by the documentation of effects: a simulation of one event after
/// another.
///
/// It knows neither tasks nor counters. Everything that was started and is not over is an object in a
/// list; who waits, what rivals what and what is settled is found by looking through that list.
final class Reference {
  let program: Program
  var outcome = Outcome()
  var now = 0
  var state = PlainState()
  var version = 1

  /// What was started and is not over, oldest first.
  var effects: [Effect] = []
  /// What waits for others of its id to be over, in order.
  var queue: [Queued] = []
  /// The throttles that hold back, by id.
  var windows: [Int: Window] = [:]
  /// Actions on their way, each to be a turn.
  var mail: [(action: Int, batch: Int?)] = []
  /// What sleeps.
  var agenda: [(time: Int, sleeper: Sleeper)] = []
  /// What goes on in this very instant.
  var ready: [Sleeper] = []

  private var isAnySettled = true
  private var batches = 0
  /// Batches whose owners have not been told yet that all is settled.
  private(set) var unsettled: Set<Int> = []
  private var taking: Int?
  private var steps = 0
  /// Whether the outcome hangs on which of two goes first, or the program is too long.
  var isUnfit = false

  init(_ program: Program) {
    self.program = program
  }

  /// What comes of a program; nil where that is not certain.
  static func outcome(of program: Program) -> Outcome? {
    let reference = Reference(program)
    for operation in program.operations {
      reference.perform(operation)
      if reference.isUnfit { return nil }
      reference.outcome.left.append(reference.left)
    }
    for batch in reference.unsettled { reference.tell(batch, .closed) }
    return reference.outcome
  }

  private var left: Outcome.Left {
    Outcome.Left(
      running: effects.count { !$0.isGroup } + windows.count,
      queued: queue.count,
      isIdle: effects.isEmpty && queue.isEmpty && windows.isEmpty
    )
  }

  // MARK: Operations

  private func perform(_ operation: Program.Operation) {
    switch operation {
    case .send(let inputs):
      for (index, input) in inputs.enumerated() {
        take(input, of: batches, isLast: index == inputs.count - 1)
      }
      batches += 1
      settle()
    case .advance(let duration):
      advance(to: now + duration)
    case .cancel(let batch) where unsettled.contains(batch):
      cancel(batch: batch)
      report()
      drain()
      settle()
    case .cancel: break
    }
  }

  private func take(_ input: Int, of batch: Int, isLast: Bool) {
    note(.input(input))
    let trees = reduce(program.inputs[input], isSent: false)
    if !trees.isEmpty { taking = batch }
    for tree in trees { start(tree, for: batch, in: nil) }
    drain()
    if isLast {
      taking = nil
      let isSettled = !isOwed(batch)
      tell(batch, .processed(isSettled: isSettled))
      if !isSettled { unsettled.insert(batch) }
    }
    report()
  }

  private func advance(to target: Int) {
    while let time = agenda.map(\.time).min(), time <= target, !isUnfit {
      now = time
      ready += agenda.filter { $0.time == time }.map(\.sleeper)
      agenda.removeAll { $0.time == time }
      settle()
    }
    now = target
  }

  /// Does all that can be done before time goes on.
  private func settle() {
    while true {
      ready.removeAll { $0.isOver }
      if ready.count > 1 { isUnfit = true }
      guard !isUnfit, let next = ready.popLast() else { return }
      step(next)
      drain()
      report()
      if let effect = next as? Effect, !effect.isOver { proceed(effect) }
    }
  }

  // MARK: Turns

  /// Takes the actions on their way, each as a turn.
  func drain() {
    while !mail.isEmpty, !isUnfit {
      let (action, batch) = mail.removeFirst()
      for tree in reduce([action], isSent: true) { start(tree, for: batch, in: nil) }
    }
  }

  /// One turn: the effects that its actions ask for.
  func reduce(_ actions: [Int], isSent: Bool) -> [Tree] {
    let before = state
    for action in actions {
      note(.action(action, isSent: isSent))
      state.apply(action)
    }
    if state != before {
      version += 1
      note(.state(state, version: version))
    }
    steps += 1
    if steps > 300 { isUnfit = true }
    return actions.flatMap { program.reactions[$0] }
  }

  func note(_ turn: Outcome.Turn) {
    outcome.turns.append(.init(time: now, value: turn))
  }

  // MARK: Settled

  /// Whether a batch has something under way that somebody waits for.
  private func isOwed(_ batch: Int) -> Bool {
    effects.contains { !$0.isGroup && $0.batch == batch }
      || queue.contains { $0.batch == batch }
      || windows.values.contains { $0.pending?.batch == batch }
      || mail.contains { $0.batch == batch }
  }

  private func report() {
    let isSettled = taking == nil && !unsettled.contains(where: isOwed)
    if isSettled != isAnySettled {
      isAnySettled = isSettled
      outcome.settled.append(.init(time: now, value: isSettled))
    }
    for batch in unsettled where !isOwed(batch) {
      unsettled.remove(batch)
      tell(batch, .settled)
    }
  }

  private func tell(_ batch: Int, _ word: Outcome.InputBatch) {
    outcome.progress[batch, default: []].append(.init(time: now, value: word))
  }
}
