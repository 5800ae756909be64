/// A simulation that derives a program's outcome from the documentation of effects, one event after another.
///
/// It uses neither tasks nor counters. Every started effect that has not ended is an object in a list; who
/// waits, which effects rival each other and what is settled is found by searching the list.
final class Reference {
  let program: Program
  var outcome = Outcome()
  var now = 0
  var state = PlainState()
  var version = 1

  /// The effects that have started and not ended, oldest first.
  var effects: [Effect] = []
  /// The effects that wait for others with their id to end, in order.
  var queue: [Queued] = []
  /// The open windows of throttles, by id.
  var windows: [Int: Window] = [:]
  /// The actions that are sent but not yet processed, each as a turn.
  var mail: [(action: Int, batch: Int?)] = []
  /// The sleeping effects and windows.
  var agenda: [(time: Int, sleeper: Sleeper)] = []
  /// The effects and windows that act in this instant.
  var ready: [Sleeper] = []

  private var isAnySettled = true
  private var batches = 0
  /// The batches whose owners have not been told yet that they are settled.
  private(set) var unsettled: Set<Int> = []
  private var taking: Int?
  private var steps = 0
  /// Whether the outcome depends on an order that is not defined, or the program is too long.
  var isUnfit = false

  init(_ program: Program) {
    self.program = program
  }

  /// Returns a program's outcome, or nil if it is ambiguous.
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

  /// Does everything that is possible before time passes.
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

  /// Processes the sent actions, each as a turn.
  func drain() {
    while !mail.isEmpty, !isUnfit {
      let (action, batch) = mail.removeFirst()
      for tree in reduce([action], isSent: true) { start(tree, for: batch, in: nil) }
    }
  }

  /// Performs one turn, and returns the effects of its actions.
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

  /// Whether a batch has running work that its sender waits for.
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
