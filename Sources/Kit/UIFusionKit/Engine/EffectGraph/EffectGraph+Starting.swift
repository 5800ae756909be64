/// Starts effects, and continues their groups and queues when they end.
extension EffectGraph {
  /// The running effects in the order in which they started, described by their ids if they have one.
  var running: [String] {
    nodes.filter { $0.value.children.isEmpty }.sorted { $0.key.number < $1.key.number }
      .map { name(of: $0.key).map { "the effect \($0)" } ?? "an effect without id" }
  }

  /// Returns the names of running work in the form that is stored, as if the run `last` had ended.
  ///
  /// Work without an id is named only if no work has one, and then by a single item. The array is cached
  /// until an id comes or goes, since each turn asks for it.
  mutating func names(besides work: Int, after last: NodeID? = nil) -> [String] {
    var last = last
    if let run = last.flatMap({ nodes[$0] }), run.id == nil, run.place.parent == nil {
      // Nothing ends together with this run, and nothing starts after it.
      if nodes.count == 1, work == 0 { return [] }
      last = nil
    }
    if let last, isLive(last) {
      var graph = self
      graph.end(last)
      return graph.names(besides: work)
    }
    guard work > 0 || !nodes.isEmpty else { return [] }
    let names = knownNames ?? ids.keys.map(\.storedName).sortedByBytes
    knownNames = names
    return names.isEmpty ? [Interrupted.unnamed] : names
  }

  /// Returns the id of a node, or of the nearest group around it that has one, in the same view model.
  func name(of nodeID: NodeID) -> EffectID? {
    guard let node = nodes[nodeID] else { return nil }
    if let id = node.id { return id }
    return node.place.parent.flatMap { scope(of: $0) == node.place.scope ? name(of: $0) : nil }
  }

  /// Returns the child that a live node belongs to; nil for the view model itself.
  func scope(of nodeID: NodeID) -> EffectScope? { nodes[nodeID]?.place.scope }

  func isLive(_ nodeID: NodeID) -> Bool { nodes[nodeID] != nil }

  /// Returns the batch that a live node works for; nil or uncounted for background work.
  func batch(of nodeID: NodeID) -> BatchID? { nodes[nodeID]?.place.batchID }

  /// Starts an effect.
  mutating func start(_ step: EffectStep, for batchID: BatchID?) {
    start(step, in: Place(batchID: batchID))
  }

  /// Starts an effect, perhaps as a step of a group, which continues when the step ends.
  private mutating func start(_ step: EffectStep, in place: Place) {
    var place = place
    let (batchID, scope) = (place.batchID, place.scope)
    // Retained so that the batch does not settle between the end of a replaced effect and the start.
    retain(batchID)
    defer { release(batchID) }
    switch step {
    case .none: break
    case .send(let action):
      retain(batchID)
      commands.append(.process(scope.embed(action), batchID, scope))
    case .cancel(let id):
      cancel(id.within(scope))
    case .alarm(let step): commands.append(.alarm(step, batchID, scope))
    case .run(var run):
      run.id = run.id?.within(scope)
      if run.isBackground { place.batchID = batchID?.uncounted }
      start(run, in: place)
    case .group(let id, let isSerial, let steps):
      let id = id?.within(scope)
      if let id { replace(id, within: place.parent) }
      startGroup(id, isSerial, steps, in: place)
    case .throttle(let id, let duration, let latest, let step):
      throttle(id.within(scope), duration, latest, step, in: place)
    case .child(let link, let step):
      place.scope = EffectScope(link, within: scope)
      start(step, in: place)
    case .dismiss:
      guard let scope, let action = scope.link.dismissal else { break }
      retain(batchID)
      commands.append(.process(scope.outer.embed(action), batchID, scope))
    case .leave(let scopes):
      leave(Set(scopes.map { $0.within(scope) }))
    }
  }

  private mutating func startGroup(
    _ id: EffectID?,
    _ isSerial: Bool,
    _ steps: [EffectStep],
    in place: Place
  ) {
    guard hasPlace(in: place.parent) else { return }
    let kind = Kind.group(rest: isSerial ? Array(steps.reversed()) : [])
    let group = add(Node(place: place, id: id, kind: kind))
    if !isSerial {
      // A placeholder for the steps still to start: the end of the first must not end the group.
      let opening = NodeID(number: nextNumber())
      nodes[group]?.children.insert(opening)
      var inner = place
      inner.parent = group
      for step in steps where isLive(group) { start(step, in: inner) }
      nodes[group]?.children.remove(opening)
    }
    advance(group)
  }

  private mutating func start(_ run: EffectRun, in place: Place) {
    if let id = run.id, !nodes(with: id, notEnclosing: place.parent).isEmpty {
      switch run.policy {
      case .replace: replace(id, within: place.parent)
      case .keep: return
      case .queue(let limit):
        guard queues[id, default: []].count < limit else { return }
        retain(place.batchID)
        // Its group must not go on without it: see `isQueued`.
        queues[id, default: []].append(QueuedRun(run: run, place: place))
        return
      }
    }
    launch(run, in: place)
  }

  /// Returns the nodes with an id that do not enclose `place`.
  ///
  /// A group does not compete with an effect inside it that has the same id, nor does a throttle's window,
  /// which only delays effects.
  func nodes(with id: EffectID, notEnclosing place: NodeID?) -> [NodeID] {
    var enclosing: Set<NodeID> = []
    var next = place
    while let nodeID = next {
      enclosing.insert(nodeID)
      next = nodes[nodeID]?.place.parent
    }
    return (ids[id] ?? []).filter { !enclosing.contains($0) && !isWindow($0) }
  }

  func isWindow(_ nodeID: NodeID) -> Bool {
    if case .window? = nodes[nodeID]?.kind { true } else { false }
  }

  private mutating func replace(_ id: EffectID, within parent: NodeID?) {
    // The end of an effect may start the next step of its group, which may have the same id and is
    // older as well. It may also end the group that the new effect belongs to.
    while hasPlace(in: parent) {
      dropWaiting(id)
      guard hasPlace(in: parent), let nodeID = nodes(with: id, notEnclosing: parent).first else {
        break
      }
      cancel(nodeID)
    }
  }

  private mutating func launch(_ run: EffectRun, in place: Place) {
    guard hasPlace(in: place.parent) else { return }
    let nodeID = add(Node(place: place, id: run.id, kind: .run))
    commands.append(.start(nodeID, run.work))
  }

  private mutating func throttle(
    _ id: EffectID,
    _ duration: Duration,
    _ latest: Bool,
    _ step: EffectStep,
    in place: Place
  ) {
    guard let open = ids[id]?.first(where: isWindow) else {
      openWindow(id, duration)
      startGroup(id, true, [step], in: place)
      return
    }
    guard latest, case .window(let length, let pending)? = nodes[open]?.kind else { return }
    retain(place.batchID)
    nodes[open]?.kind = .window(length, pending: (step, place.batchID))
    if let pending { release(pending.batchID) }
  }

  /// Returns false if a replacement ended the group that the new effect belongs to.
  private func hasPlace(in parent: NodeID?) -> Bool {
    parent.map(isLive) ?? true
  }

  /// Opens a throttle's window: a run of its own that counts for no batch.
  private mutating func openWindow(_ id: EffectID, _ duration: Duration) {
    let kind = Kind.window(duration, pending: nil)
    let window = Node(place: Place(scope: id.scope), id: id, kind: kind)
    commands.append(.start(add(window), .pause(duration)))
  }

  private mutating func add(_ node: Node) -> NodeID {
    let nodeID = NodeID(number: nextNumber())
    nodes[nodeID] = node
    if node.place.batchID?.isForeign == true { foreignCount += 1 }
    retain(node.counted)
    if let parent = node.place.parent { nodes[parent]?.children.insert(nodeID) }
    if let id = node.id {
      if ids[id] == nil { note(id, isRunning: true) }
      ids[id, default: []].append(nodeID)
    }
    return nodeID
  }

  /// Updates ``knownNames``.
  private mutating func note(_ id: EffectID, isRunning: Bool) {
    guard var names = knownNames.take() else { return }
    let name = id.storedName
    let place = names.place(of: name)
    if isRunning {
      names.insert(name, at: place)
    } else {
      // Equal ids may print differently: then the names are computed again.
      guard place < names.count, names[place] == name else { return }
      names.remove(at: place)
    }
    knownNames = names
  }

  /// Removes a run that has ended, and starts what waited for it.
  mutating func end(_ nodeID: NodeID) {
    guard let node = nodes[nodeID] else { return }
    remove(nodeID)
    if case .window(let duration, let pending?) = node.kind, let id = node.id {
      openWindow(id, duration)
      let place = Place(batchID: pending.batchID, scope: node.place.scope)
      startGroup(id, true, [pending.step], in: place)
      release(pending.batchID)
    }
  }

  /// Starts the next step of a group, or ends the group.
  mutating func advance(_ group: NodeID) {
    while let node = nodes[group], node.children.isEmpty, !isQueued(in: group) {
      guard case .group(var rest) = node.kind, let step = rest.popLast() else {
        remove(group)
        return
      }
      nodes[group]?.kind = .group(rest: rest)
      var inner = node.place
      inner.parent = group
      start(step, in: inner)
    }
  }

  func isQueued(in group: NodeID) -> Bool {
    queues.values.contains { $0.contains { $0.place.parent == group } }
  }

  /// Removes a node without children, and starts what waited for it.
  mutating func remove(_ nodeID: NodeID) {
    guard let node = nodes.removeValue(forKey: nodeID) else { return }
    if node.place.batchID?.isForeign == true { foreignCount -= 1 }
    if let id = node.id {
      ids[id]?.removeAll { $0 == nodeID }
      if ids[id]?.isEmpty == true {
        ids[id] = nil
        // An idle session keeps no array.
        if ids.isEmpty { knownNames = nil }
        note(id, isRunning: false)
      }
      startWaiting(id)
    }
    if let parent = node.place.parent {
      nodes[parent]?.children.remove(nodeID)
      advance(parent)
    }
    release(node.counted)
  }

  private mutating func startWaiting(_ id: EffectID) {
    guard var queue = queues[id] else { return }
    guard
      let index = queue.firstIndex(where: { nodes(with: id, notEnclosing: $0.place.parent).isEmpty }
      )
    else {
      return
    }
    let next = queue.remove(at: index)
    queues[id] = queue.isEmpty ? nil : queue
    launch(next.run, in: next.place)
    release(next.place.batchID)
  }
}
