/// Starting effects, and what follows when they end.
extension EffectGraph {
  /// What is running, in the order in which it was started: by id, where it has one.
  var running: [String] {
    nodes.filter { $0.value.children.isEmpty }.sorted { $0.key.number < $1.key.number }
      .map { name(of: $0.key).map { "the effect \($0)" } ?? "an effect without id" }
  }

  /// What is running, as a store is told it, and will be once the run `last` is over.
  ///
  /// Work that has no name is not told where other work has one; where none has, it is one item,
  /// however much it is.
  func names(besides work: Int, after last: NodeID? = nil) -> [String] {
    if let last, isLive(last) {
      var graph = self
      var commands: [Command] = []
      graph.end(last, &commands)
      return graph.names(besides: work)
    }
    guard work > 0 || !nodes.isEmpty else { return [] }
    let names = ids.keys.map(\.storedName).sorted()
    return names.isEmpty ? [Interrupted.unnamed] : names
  }

  /// A node's id, or that of what it is a part of.
  private func name(of nodeID: NodeID) -> EffectID? {
    guard let node = nodes[nodeID] else { return nil }
    return node.id ?? node.parent.flatMap(name)
  }

  func isLive(_ nodeID: NodeID) -> Bool { nodes[nodeID] != nil }

  /// The batch that a live node works for; nil where nobody waits.
  func batch(of nodeID: NodeID) -> BatchID? { nodes[nodeID]?.batchID }

  /// Starts an effect.
  mutating func start(_ step: EffectStep, for batchID: BatchID?, _ commands: inout [Command]) {
    start(step, for: batchID, parent: nil, &commands)
  }

  /// Starts a step of a group, which goes on when it is over.
  private mutating func start(
    _ step: EffectStep,
    for batchID: BatchID?,
    parent: NodeID?,
    _ commands: inout [Command]
  ) {
    // What is replaced may be the last that counts, just before what replaces it does.
    retain(batchID)
    defer { release(batchID, &commands) }
    switch step {
    case .none: break
    case .send(let action):
      retain(batchID)
      commands.append(.process(action, batchID))
    case .cancel(let id):
      cancel(id, &commands)
    case .run(let run):
      start(run, for: run.isBackground ? nil : batchID, parent: parent, &commands)
    case .group(let id, let isSerial, let steps):
      if let id { replace(id, within: parent, &commands) }
      startGroup(id, isSerial, steps, for: batchID, parent: parent, &commands)
    case .throttle(let id, let duration, let latest, let step):
      throttle(id, duration, latest, step, for: batchID, parent: parent, &commands)
    }
  }

  private mutating func startGroup(
    _ id: EffectID?,
    _ isSerial: Bool,
    _ steps: [EffectStep],
    for batchID: BatchID?,
    parent: NodeID?,
    _ commands: inout [Command]
  ) {
    guard hasPlace(in: parent) else { return }
    let rest = isSerial ? Array(steps.reversed()) : []
    let group = add(Node(batchID: batchID, parent: parent, id: id, kind: .group(rest: rest)))
    if !isSerial {
      // Stands for those that are still to start, or the first one's end would be the group's.
      let opening = NodeID(number: nextNumber())
      nodes[group]?.children.insert(opening)
      for step in steps where isLive(group) { start(step, for: batchID, parent: group, &commands) }
      nodes[group]?.children.remove(opening)
    }
    goOn(group, &commands)
  }

  private mutating func start(
    _ run: EffectRun,
    for batchID: BatchID?,
    parent: NodeID?,
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
        queues[id, default: []].append(Waiting(run: run, batchID: batchID, parent: parent))
        return
      }
    }
    launch(run, for: batchID, parent: parent, &commands)
  }

  /// What has that id and does not enclose `place`.
  ///
  /// An effect within a group of its own id is a part of it, and no rival. Nor is a throttle's window,
  /// which does nothing but hold back.
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
    // What is ended may let its group go on to something of the same id, which is older all the same.
    // It may even end the place of what is to come, which then does not.
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
    _ commands: inout [Command]
  ) {
    guard hasPlace(in: parent) else { return }
    let nodeID = add(Node(batchID: batchID, parent: parent, id: run.id, kind: .run))
    commands.append(.start(nodeID, run.work))
  }

  private mutating func throttle(
    _ id: EffectID,
    _ duration: Duration,
    _ latest: Bool,
    _ step: EffectStep,
    for batchID: BatchID?,
    parent: NodeID?,
    _ commands: inout [Command]
  ) {
    let open = ids[id]?.first(where: isWindow)
    guard let open else {
      openWindow(id, duration, &commands)
      startGroup(id, true, [step], for: batchID, parent: parent, &commands)
      return
    }
    guard latest, case .window(let length, let pending)? = nodes[open]?.kind else { return }
    retain(batchID)
    nodes[open]?.kind = .window(length, pending: (step, batchID))
    if let pending { release(pending.batchID, &commands) }
  }

  /// False where what was replaced has led to the end of the group that the new one was to be in.
  private func hasPlace(in parent: NodeID?) -> Bool {
    parent.map(isLive) ?? true
  }

  /// A window is a run of its own that nobody waits for.
  private mutating func openWindow(
    _ id: EffectID,
    _ duration: Duration,
    _ commands: inout [Command]
  ) {
    let window = Node(batchID: nil, parent: nil, id: id, kind: .window(duration, pending: nil))
    commands.append(.start(add(window), .pause(duration)))
  }

  private mutating func add(_ node: Node) -> NodeID {
    let nodeID = NodeID(number: nextNumber())
    nodes[nodeID] = node
    retain(node.counted)
    if let parent = node.parent { nodes[parent]?.children.insert(nodeID) }
    if let id = node.id { ids[id, default: []].append(nodeID) }
    return nodeID
  }

  /// A run is over.
  mutating func end(_ nodeID: NodeID, _ commands: inout [Command]) {
    guard let node = nodes[nodeID] else { return }
    remove(nodeID, &commands)
    if case .window(let duration, let pending?) = node.kind, let id = node.id {
      openWindow(id, duration, &commands)
      startGroup(id, true, [pending.step], for: pending.batchID, parent: nil, &commands)
      release(pending.batchID, &commands)
    }
  }

  /// A group starts its next step, or is over.
  mutating func goOn(_ group: NodeID, _ commands: inout [Command]) {
    while let node = nodes[group], node.children.isEmpty, !isQueued(in: group) {
      guard case .group(var rest) = node.kind, let step = rest.popLast() else {
        remove(group, &commands)
        return
      }
      nodes[group]?.kind = .group(rest: rest)
      start(step, for: node.batchID, parent: group, &commands)
    }
  }

  func isQueued(in group: NodeID) -> Bool {
    queues.values.contains { $0.contains { $0.parent == group } }
  }

  /// Takes a node without children out of the tree, and lets go on what waited for it.
  mutating func remove(_ nodeID: NodeID, _ commands: inout [Command]) {
    guard let node = nodes.removeValue(forKey: nodeID) else { return }
    if let id = node.id {
      ids[id]?.removeAll { $0 == nodeID }
      if ids[id]?.isEmpty == true { ids[id] = nil }
      startWaiting(id, &commands)
    }
    if let parent = node.parent {
      nodes[parent]?.children.remove(nodeID)
      goOn(parent, &commands)
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
    launch(next.run, for: next.batchID, parent: next.parent, &commands)
    release(next.batchID, &commands)
  }
}
