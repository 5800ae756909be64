/// Cancellation by id, by batch and by node, with all nodes below.
extension EffectGraph {
  /// Cancels all effects with an id, running and queued.
  mutating func cancel(_ id: EffectID) {
    // Copied first: effects that start because others end are not cancelled.
    let nodeIDs = ids[id] ?? []
    for nodeID in nodeIDs where isWindow(nodeID) { cancel(nodeID) }
    dropWaiting(id)
    for nodeID in nodeIDs { cancel(nodeID) }
  }

  mutating func dropWaiting(_ id: EffectID) {
    for one in queues.removeValue(forKey: id) ?? [] {
      if let parent = one.place.parent { advance(parent) }
      release(one.place.batchID)
    }
  }

  /// Cancels all work of children that left State.
  mutating func leave(_ scopes: Set<EffectScope>) {
    // Removes the queued effects and pending steps first, so that the end of one effect starts none of them.
    for (nodeID, node) in nodes {
      switch node.kind {
      case .run, .window(_, nil): break
      case .group(let rest):
        nodes[nodeID]?.kind = .group(rest: rest.map { $0.without(scopes, in: node.place.scope) })
      case .window(let duration, let pending?):
        let step = pending.step.without(scopes, in: node.place.scope)
        nodes[nodeID]?.kind = .window(duration, pending: (step, pending.batchID))
      }
    }
    let left = queues.filter { $0.key.scope?.isWithin(scopes) == true }
    for id in left.keys { queues[id] = nil }
    let nodeIDs = nodes.filter { $0.value.place.scope?.isWithin(scopes) == true }.keys
    for nodeID in nodeIDs.sorted(by: { $0.number < $1.number }) { cancel(nodeID) }
    for run in left.values.joined() {
      if let parent = run.place.parent { advance(parent) }
      release(run.place.batchID)
    }
    commands.append(.drop(scopes))
  }

  /// Cancels all work that a batch started.
  mutating func cancel(_ batchID: BatchID) {
    for (id, queue) in queues {
      let rest = queue.filter { $0.place.batchID != batchID }
      guard rest.count < queue.count else { continue }
      queues[id] = rest.isEmpty ? nil : rest
      for _ in rest.count..<queue.count { release(batchID) }
    }
    for (nodeID, node) in nodes {
      guard case .window(let duration, let pending?) = node.kind, pending.batchID == batchID else {
        continue
      }
      nodes[nodeID]?.kind = .window(duration, pending: nil)
      release(batchID)
    }
    let tops = nodes.filter { $0.value.place.batchID == batchID && $0.value.place.parent == nil }
    for nodeID in tops.keys.sorted(by: { $0.number < $1.number }) { cancel(nodeID) }
  }

  /// Cancels a node and all nodes below it.
  mutating func cancel(_ nodeID: NodeID) {
    guard let node = nodes[nodeID] else { return }
    // Retained so that the batch does not settle just before its group starts the next step.
    retain(node.place.batchID)
    defer { release(node.place.batchID) }
    switch node.kind {
    case .run: commands.append(.stop(nodeID))
    case .window(let duration, let pending):
      commands.append(.stop(nodeID))
      nodes[nodeID]?.kind = .window(duration, pending: nil)
      if let pending { release(pending.batchID) }
    case .group:
      // The remaining steps first, so that the end of a child does not start them.
      nodes[nodeID]?.kind = .group(rest: [])
      dropWaiting(in: nodeID)
      for child in node.children.sorted(by: { $0.number < $1.number }) { cancel(child) }
    }
    // A group is already removed if its last child was.
    remove(nodeID)
  }

  private mutating func dropWaiting(in group: NodeID) {
    for (id, queue) in queues {
      let rest = queue.filter { $0.place.parent != group }
      guard rest.count < queue.count else { continue }
      queues[id] = rest.isEmpty ? nil : rest
      for one in queue where one.place.parent == group { release(one.place.batchID) }
    }
  }
}
