import UIFusionKit

/// Effects as their documentation describes them.
extension Reference {
  class Sleeper {
    var isOver = false
  }

  /// A run, or a group of effects.
  final class Effect: Sleeper {
    let id: Int?
    /// The batch that waits for the effect, or nil.
    let batch: Int?
    let group: Effect?
    let isGroup: Bool
    /// The effects that a group has still to start.
    var rest: [Tree] = []
    /// The steps that a run has still to perform.
    var steps: [Tree.Step] = []
    /// The action that a timer sends when its steps are done.
    var tick: [Tree.Step] = []
    /// Whether a group is still starting its first effects.
    var isOpening = false

    init(id: Int?, for batch: Int?, in group: Effect?, isGroup: Bool) {
      self.id = id
      self.batch = batch
      self.group = group
      self.isGroup = isGroup
    }

    /// The groups around the effect.
    var around: [Effect] { group.map { [$0] + $0.around } ?? [] }
  }

  /// The window of a throttle, and the effect that it holds until its end.
  final class Window: Sleeper {
    let id: Int
    let duration: Int
    var pending: (tree: Tree, batch: Int?)?

    init(_ id: Int, _ duration: Int) {
      self.id = id
      self.duration = duration
    }
  }

  struct Queued {
    let id: Int
    let batch: Int?
    let group: Effect?
    let launch: () -> Void
  }

  // MARK: Starting

  func start(_ tree: Tree, for batch: Int?, in group: Effect?) {
    if group?.isOver == true { return }
    switch tree {
    case .none: break
    case .action(let action): mail.append((action, batch))
    case .run(let script): run(script, for: batch, in: group)
    case .runAction(let script):
      // The action ends the run: its later steps are not performed.
      run(script, for: batch, in: group)
    case .runCatchingError(var script, let errorAction):
      script.steps = script.steps.map { if case .fail = $0 { .send(errorAction) } else { $0 } }
      run(script, for: batch, in: group)
    case .cancel(let id): cancel(id: id)
    case .merge(let trees):
      open(nil, for: batch, in: group, serial: trees)
    case .concurrent(let trees):
      let crowd = Effect(id: nil, for: batch, in: group, isGroup: true)
      effects.append(crowd)
      crowd.isOpening = true
      for tree in trees { start(tree, for: batch, in: crowd) }
      crowd.isOpening = false
      goOn(crowd)
    case .sleepThen(let id, let time, let action):
      if let id { replace(id, in: group) }
      let pause = Tree.run(Tree.Script(steps: [.sleep(time)]))
      open(id, for: batch, in: group, serial: [pause, .action(action)])
    case .timer(let id, let interval, let policy, let action):
      let tick: [Tree.Step] = [.sleep(interval), .send(action)]
      run(Tree.Script(id: id, policy: policy, isBackground: true, steps: []), tick, nil, group)
    case .debounce(let id, let time, let tree):
      replace(id, in: group)
      let pause = Tree.run(Tree.Script(steps: [.sleep(time)]))
      open(id, for: batch, in: group, serial: [pause, tree])
    case .throttle(let id, let time, let latest, let tree):
      if let window = windows[id] {
        if latest { window.pending = (tree, batch) }
      } else {
        hold(id, time)
        open(id, for: batch, in: group, serial: [tree])
      }
    }
  }

  private func run(_ script: Tree.Script, for batch: Int?, in group: Effect?) {
    run(script, [], script.isBackground ? nil : batch, group)
  }

  private func run(
    _ script: Tree.Script,
    _ tick: [Tree.Step],
    _ batch: Int?,
    _ group: Effect?
  ) {
    let around = group.map { [$0] + $0.around } ?? []
    // The documentation does not say whether a batch waits for what follows background work.
    if batch == nil, around.contains(where: { $0.batch != nil && !$0.rest.isEmpty }) {
      isUnfit = true
    }
    let launch = {
      let effect = Effect(id: script.id, for: batch, in: group, isGroup: false)
      effect.steps = script.steps
      effect.tick = tick
      self.effects.append(effect)
      self.proceed(effect)
    }
    if let id = script.id, !rivals(id, in: group).isEmpty {
      switch script.policy {
      case .replace: replace(id, in: group)
      case .keep: return
      case .queue(let limit):
        if queue.count(where: { $0.id == id }) < limit {
          queue.append(Queued(id: id, batch: batch, group: group, launch: launch))
        }
        return
      }
    }
    if group?.isOver != true { launch() }
  }

  private func open(_ id: Int?, for batch: Int?, in group: Effect?, serial trees: [Tree]) {
    if group?.isOver == true { return }
    let series = Effect(id: id, for: batch, in: group, isGroup: true)
    series.rest = trees
    effects.append(series)
    goOn(series)
  }

  private func hold(_ id: Int, _ time: Int) {
    let window = Window(id, time)
    windows[id] = window
    agenda.append((now + time, window))
  }

  // MARK: Going on

  /// Lets a run sleep, or act in this instant.
  func proceed(_ effect: Effect) {
    if effect.steps.isEmpty { effect.steps = effect.tick }
    if case .sleep(let time)? = effect.steps.first {
      effect.steps.removeFirst()
      agenda.append((now + time, effect))
    } else {
      ready.append(effect)
    }
  }

  /// Performs the next observable step.
  func step(_ sleeper: Sleeper) {
    if let window = sleeper as? Window {
      windows[window.id] = nil
      guard let (tree, batch) = window.pending else { return }
      hold(window.id, window.duration)
      open(window.id, for: batch, in: nil, serial: [tree])
    }
    guard let effect = sleeper as? Effect else { return }
    if case .sleep? = effect.steps.first { return }
    guard !effect.steps.isEmpty else {
      if effect.tick.isEmpty { finish(effect) }
      return
    }
    switch effect.steps.removeFirst() {
    case .send(let action): mail.append((action, effect.batch))
    case .fail(let error):
      note(.error(error))
      let trees = reduce(program.answers[error], isSent: false)
      finish(effect)
      for tree in trees { start(tree, for: effect.batch, in: nil) }
    case .quit: finish(effect)
    case .sleep: break
    }
  }

  private func finish(_ effect: Effect) {
    effect.isOver = true
    effects.removeAll { $0 === effect }
    startQueued()
    effect.group.map(goOn)
  }

  /// Starts a group's next effect once nothing of the group is left, or ends the group.
  private func goOn(_ group: Effect) {
    while !group.isOver, !group.isOpening {
      let isBusy = effects.contains { $0.group === group } || queue.contains { $0.group === group }
      if isBusy { return }
      if group.rest.isEmpty { return finish(group) }
      start(group.rest.removeFirst(), for: group.batch, in: group)
    }
  }

  private func startQueued() {
    while let index = queue.firstIndex(where: { rivals($0.id, in: $0.group).isEmpty }) {
      queue.remove(at: index).launch()
    }
  }

  // MARK: Ending

  /// Returns the effects with an id, except the groups around the given place.
  private func rivals(_ id: Int, in group: Effect?) -> [Effect] {
    let around = group.map { [$0] + $0.around } ?? []
    return effects.filter { effect in effect.id == id && !around.contains { $0 === effect } }
  }

  private func replace(_ id: Int, in group: Effect?) {
    while group?.isOver != true {
      dropQueued { $0.id == id }
      guard group?.isOver != true, let rival = rivals(id, in: group).first else { return }
      end(rival)
    }
  }

  private func cancel(id: Int) {
    let victims = effects.filter { $0.id == id }
    windows.removeValue(forKey: id)?.isOver = true
    dropQueued { $0.id == id }
    victims.forEach(end)
  }

  func cancel(batch: Int) {
    for window in windows.values where window.pending?.batch == batch { window.pending = nil }
    queue.removeAll { $0.batch == batch }
    effects.filter { $0.batch == batch && $0.group == nil }.forEach(end)
  }

  /// Ends an effect early, with all effects within it; its group continues.
  private func end(_ effect: Effect) {
    if effect.isOver { return }
    let within = effects.filter { one in one.around.contains { $0 === effect } }
    for one in [effect] + within { one.isOver = true }
    effects.removeAll(where: \.isOver)
    queue.removeAll { $0.group?.isOver == true }
    startQueued()
    effect.group.map(goOn)
  }

  private func dropQueued(_ isMeant: (Queued) -> Bool) {
    let dropped = queue.filter(isMeant)
    queue.removeAll(where: isMeant)
    for one in dropped { one.group.map(goOn) }
  }
}
