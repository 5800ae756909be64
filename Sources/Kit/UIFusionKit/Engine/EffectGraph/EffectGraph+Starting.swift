/// Starts effects, and continues their groups and queues when they end.
extension EffectGraph {
  /// The running effects in the order in which they started, by id where they have one.
  var running: [String] {
    nodes.filter { $0.value.children.isEmpty }.sorted { $0.key.number < $1.key.number }
      .map { name(of: $0.key).map { "the effect \($0)" } ?? "an effect without id" }
  }

  /// Returns the names of running work in the form that is stored, as if the run `last` had ended.
  ///
  /// Work without an id is named only if no work has one, and then by a single item.
  /// As long as no id comes or goes, each call returns the same array: many names are not put together for each turn.
  mutating func names(besides work: Int, after last: NodeID? = nil) -> [String] {
    var last = last
    if let run = last.flatMap({ nodes[$0] }), run.id == nil, run.parent == nil {
      // Nothing else ends with it, and nothing starts.
      if nodes.count == 1, work == 0 { return [] }
      last = nil
    }
    if let last, isLive(last) {
      var graph = self
      var commands: [Command] = []
      graph.end(last, &commands)
      return graph.names(besides: work)
    }
    guard work > 0 || !nodes.isEmpty else { return [] }
    let names = knownNames ?? ids.keys.map(\.storedName).sorted()
    knownNames = names
    return names.isEmpty ? [Interrupted.unnamed] : names
  }

  /// Returns the id of a node, or of the nearest group around it that has one, in the same view model.
  func name(of nodeID: NodeID) -> EffectID? {
    guard let node = nodes[nodeID] else { return nil }
    if let id = node.id { return id }
    return node.parent.flatMap { scope(of: $0) == node.scope ? name(of: $0) : nil }
  }

  /// Returns the child that a live node belongs to; nil for the view model itself.
  func scope(of nodeID: NodeID) -> EffectScope? { nodes[nodeID]?.scope }

  func isLive(_ nodeID: NodeID) -> Bool { nodes[nodeID] != nil }

  /// Returns the batch that a live node works for; nil for background work.
  func batch(of nodeID: NodeID) -> BatchID? { nodes[nodeID]?.batchID }

  /// Starts an effect.
  mutating func start(_ step: EffectStep, for batchID: BatchID?, _ commands: inout [Command]) {
    start(step, for: batchID, parent: nil, within: nil, &commands)
  }

  /// Starts a step of a group; the group continues when the step ends.
  private mutating func start(
    _ step: EffectStep,
    for batchID: BatchID?,
    parent: NodeID?,
    within scope: EffectScope?,
    _ commands: inout [Command]
  ) {
    // Retained so that the batch does not settle between the end of a replaced effect and the start.
    retain(batchID)
    defer { release(batchID, &commands) }
    switch step {
    case .none: break
    case .send(let action):
      retain(batchID)
      commands.append(.process(scope.embed(action), batchID, scope))
    case .cancel(let id):
      cancel(id.within(scope), &commands)
    case .alarm(let step): commands.append(.alarm(step, batchID, scope))
    case .run(var run):
      run.id = run.id?.within(scope)
      start(run, for: run.isBackground ? nil : batchID, parent: parent, within: scope, &commands)
    case .group(let id, let isSerial, let steps):
      let id = id?.within(scope)
      if let id { replace(id, within: parent, &commands) }
      startGroup(id, isSerial, steps, for: batchID, parent: parent, within: scope, &commands)
    case .throttle(let id, let duration, let latest, let step):
      let id = id.within(scope)
      throttle(id, duration, latest, step, for: batchID, parent: parent, within: scope, &commands)
    case .child(let link, let step):
      let scope = EffectScope(link, within: scope)
      start(step, for: batchID, parent: parent, within: scope, &commands)
    case .dismiss:
      guard let scope, let action = scope.link.dismissal else { break }
      retain(batchID)
      commands.append(.process(scope.outer.embed(action), batchID, scope))
    case .leave(let scopes):
      leave(scopes, &commands)
    }
  }

  private mutating func startGroup(
    _ id: EffectID?,
    _ isSerial: Bool,
    _ steps: [EffectStep],
    for batchID: BatchID?,
    parent: NodeID?,
    within scope: EffectScope?,
    _ commands: inout [Command]
  ) {
    guard hasPlace(in: parent) else { return }
    let kind = Kind.group(rest: isSerial ? Array(steps.reversed()) : [])
    let group = add(Node(batchID: batchID, parent: parent, id: id, scope: scope, kind: kind))
    if !isSerial {
      // A placeholder for the steps still to start: the end of the first must not end the group.
      let opening = NodeID(number: nextNumber())
      nodes[group]?.children.insert(opening)
      for step in steps where isLive(group) {
        start(step, for: batchID, parent: group, within: scope, &commands)
      }
      nodes[group]?.children.remove(opening)
    }
    advance(group, &commands)
  }

  private mutating func start(
    _ run: EffectRun,
    for batchID: BatchID?,
    parent: NodeID?,
    within scope: EffectScope?,
    _ commands: inout [Command]
  ) {
    if let id = run.id, !others(id, than: parent).isEmpty {
      switch run.policy {
      case .replace: replace(id, within: parent, &commands)
      case .keep: return
      case .queue(let limit):
        guard queues[id, default: []].count < limit else { return }
        retain(batchID)
        // Its group must not go on without it: see `isQueued`.
        queues[id, default: []].append(
          QueuedRun(run: run, batchID: batchID, parent: parent, scope: scope)
        )
        return
      }
    }
    launch(run, for: batchID, parent: parent, within: scope, &commands)
  }

  /// Returns the nodes with an id that do not enclose `place`.
  ///
  /// A group does not compete with an effect inside it that has the same id, nor does a throttle's
  /// window, which only holds back.
  func others(_ id: EffectID, than place: NodeID?) -> [NodeID] {
    var enclosing: Set<NodeID> = []
    var next = place
    while let nodeID = next {
      enclosing.insert(nodeID)
      next = nodes[nodeID]?.parent
    }
    return (ids[id] ?? []).filter { !enclosing.contains($0) && !isWindow($0) }
  }

  func isWindow(_ nodeID: NodeID) -> Bool {
    if case .window? = nodes[nodeID]?.kind { true } else { false }
  }

  private mutating func replace(
    _ id: EffectID,
    within parent: NodeID?,
    _ commands: inout [Command]
  ) {
    // The end of an effect may start the next step of its group, which may have the same id and is
    // older as well. It may also end the group that the new effect belongs to.
    while hasPlace(in: parent) {
      dropWaiting(id, &commands)
      guard hasPlace(in: parent), let nodeID = others(id, than: parent).first else { break }
      cancel(nodeID, &commands)
    }
  }

  private mutating func launch(
    _ run: EffectRun,
    for batchID: BatchID?,
    parent: NodeID?,
    within scope: EffectScope?,
    _ commands: inout [Command]
  ) {
    guard hasPlace(in: parent) else { return }
    let node = Node(batchID: batchID, parent: parent, id: run.id, scope: scope, kind: .run)
    let nodeID = add(node)
    commands.append(.start(nodeID, run.work))
  }

  private mutating func throttle(
    _ id: EffectID,
    _ duration: Duration,
    _ latest: Bool,
    _ step: EffectStep,
    for batchID: BatchID?,
    parent: NodeID?,
    within scope: EffectScope?,
    _ commands: inout [Command]
  ) {
    let open = ids[id]?.first(where: isWindow)
    guard let open else {
      openWindow(id, duration, &commands)
      startGroup(id, true, [step], for: batchID, parent: parent, within: scope, &commands)
      return
    }
    guard latest, case .window(let length, let pending)? = nodes[open]?.kind else { return }
    retain(batchID)
    nodes[open]?.kind = .window(length, pending: (step, batchID))
    if let pending { release(pending.batchID, &commands) }
  }

  /// Returns false if a replacement ended the group that the new effect belongs to.
  private func hasPlace(in parent: NodeID?) -> Bool {
    parent.map(isLive) ?? true
  }

  /// Opens a throttle's window: a run of its own that counts for no batch.
  private mutating func openWindow(
    _ id: EffectID,
    _ duration: Duration,
    _ commands: inout [Command]
  ) {
    let kind = Kind.window(duration, pending: nil)
    let window = Node(batchID: nil, parent: nil, id: id, scope: id.scope, kind: kind)
    commands.append(.start(add(window), .pause(duration)))
  }

  private mutating func add(_ node: Node) -> NodeID {
    let nodeID = NodeID(number: nextNumber())
    nodes[nodeID] = node
    retain(node.counted)
    if let parent = node.parent { nodes[parent]?.children.insert(nodeID) }
    if let id = node.id {
      if ids[id] == nil { note(id, isRunning: true) }
      ids[id, default: []].append(nodeID)
    }
    return nodeID
  }

  /// Keeps ``knownNames`` up to date.
  private mutating func note(_ id: EffectID, isRunning: Bool) {
    guard var names = knownNames.take() else { return }
    let name = id.storedName
    let place = names.place(of: name)
    if isRunning {
      names.insert(name, at: place)
    } else {
      // Equal ids may be printed differently: then the names are put together anew.
      guard place < names.count, names[place] == name else { return }
      names.remove(at: place)
    }
    knownNames = names
  }

  /// Removes a run that has ended, and starts what waited for it.
  mutating func end(_ nodeID: NodeID, _ commands: inout [Command]) {
    guard let node = nodes[nodeID] else { return }
    remove(nodeID, &commands)
    if case .window(let duration, let pending?) = node.kind, let id = node.id {
      openWindow(id, duration, &commands)
      let (step, scope) = (pending.step, node.scope)
      startGroup(id, true, [step], for: pending.batchID, parent: nil, within: scope, &commands)
      release(pending.batchID, &commands)
    }
  }

  /// Starts the next step of a group, or ends the group.
  mutating func advance(_ group: NodeID, _ commands: inout [Command]) {
    while let node = nodes[group], node.children.isEmpty, !isQueued(in: group) {
      guard case .group(var rest) = node.kind, let step = rest.popLast() else {
        remove(group, &commands)
        return
      }
      nodes[group]?.kind = .group(rest: rest)
      start(step, for: node.batchID, parent: group, within: node.scope, &commands)
    }
  }

  func isQueued(in group: NodeID) -> Bool {
    queues.values.contains { $0.contains { $0.parent == group } }
  }

  /// Removes a node without children, and starts what waited for it.
  mutating func remove(_ nodeID: NodeID, _ commands: inout [Command]) {
    guard let node = nodes.removeValue(forKey: nodeID) else { return }
    if let id = node.id {
      ids[id]?.removeAll { $0 == nodeID }
      if ids[id]?.isEmpty == true {
        ids[id] = nil
        // A session at rest keeps no array.
        if ids.isEmpty { knownNames = nil }
        note(id, isRunning: false)
      }
      startWaiting(id, &commands)
    }
    if let parent = node.parent {
      nodes[parent]?.children.remove(nodeID)
      advance(parent, &commands)
    }
    release(node.counted, &commands)
  }

  private mutating func startWaiting(_ id: EffectID, _ commands: inout [Command]) {
    guard var queue = queues[id] else { return }
    guard let index = queue.firstIndex(where: { others(id, than: $0.parent).isEmpty }) else {
      return
    }
    let next = queue.remove(at: index)
    queues[id] = queue.isEmpty ? nil : queue
    launch(next.run, for: next.batchID, parent: next.parent, within: next.scope, &commands)
    release(next.batchID, &commands)
  }
}
