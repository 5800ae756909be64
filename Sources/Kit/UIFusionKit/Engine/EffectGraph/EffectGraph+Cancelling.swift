/// Cancellation by id, by batch and by node, with all nodes below.
extension EffectGraph {
  /// Cancels all effects with an id, running and queued.
  mutating func cancel(_ id: EffectID, _ commands: inout [Command]) {
    // Listed first: effects that start because others end are not meant.
    let nodeIDs = ids[id] ?? []
    for nodeID in nodeIDs where isWindow(nodeID) { cancel(nodeID, &commands) }
    dropWaiting(id, &commands)
    for nodeID in nodeIDs { cancel(nodeID, &commands) }
  }

  mutating func dropWaiting(_ id: EffectID, _ commands: inout [Command]) {
    for one in queues.removeValue(forKey: id) ?? [] {
      if let parent = one.parent { advance(parent, &commands) }
      release(one.batchID, &commands)
    }
  }

  /// Cancels everything of children that are gone.
  mutating func leave(_ scopes: Set<EffectScope>, _ commands: inout [Command]) {
    // First what would start later, so that the end of one effect starts none of them.
    for (nodeID, node) in nodes {
      switch node.kind {
      case .run, .window(_, nil): break
      case .group(let rest):
        nodes[nodeID]?.kind = .group(rest: rest.map { $0.without(scopes, in: node.scope) })
      case .window(let duration, let pending?):
        let step = pending.step.without(scopes, in: node.scope)
        nodes[nodeID]?.kind = .window(duration, pending: (step, pending.batchID))
      }
    }
    let left = queues.filter { $0.key.scope?.isWithin(scopes) == true }
    for id in left.keys { queues[id] = nil }
    let nodeIDs = nodes.filter { $0.value.scope?.isWithin(scopes) == true }.keys
    for nodeID in nodeIDs.sorted(by: { $0.number < $1.number }) { cancel(nodeID, &commands) }
    for run in left.values.joined() {
      if let parent = run.parent { advance(parent, &commands) }
      release(run.batchID, &commands)
    }
    commands.append(.drop(scopes))
  }

  /// Cancels everything that a batch started.
  mutating func cancel(_ batchID: BatchID, _ commands: inout [Command]) {
    for (id, queue) in queues {
      let rest = queue.filter { $0.batchID != batchID }
      guard rest.count < queue.count else { continue }
      queues[id] = rest.isEmpty ? nil : rest
      for _ in rest.count..<queue.count { release(batchID, &commands) }
    }
    for (nodeID, node) in nodes {
      guard case .window(let duration, let pending?) = node.kind, pending.batchID == batchID else {
        continue
      }
      nodes[nodeID]?.kind = .window(duration, pending: nil)
      release(batchID, &commands)
    }
    let tops = nodes.filter { $0.value.batchID == batchID && $0.value.parent == nil }
    for nodeID in tops.keys.sorted(by: { $0.number < $1.number }) { cancel(nodeID, &commands) }
  }

  /// Cancels a node and all nodes below it.
  mutating func cancel(_ nodeID: NodeID, _ commands: inout [Command]) {
    guard let node = nodes[nodeID] else { return }
    // Retained so that the batch does not settle just before its group starts the next step.
    retain(node.batchID)
    defer { release(node.batchID, &commands) }
    switch node.kind {
    case .run: commands.append(.stop(nodeID))
    case .window(let duration, let pending):
      commands.append(.stop(nodeID))
      nodes[nodeID]?.kind = .window(duration, pending: nil)
      if let pending { release(pending.batchID, &commands) }
    case .group:
      // The rest first, so that the end of a child does not start it.
      nodes[nodeID]?.kind = .group(rest: [])
      dropWaiting(in: nodeID, &commands)
      for child in node.children.sorted(by: { $0.number < $1.number }) { cancel(child, &commands) }
    }
    // A group is already removed if its last child was.
    remove(nodeID, &commands)
  }

  private mutating func dropWaiting(in group: NodeID, _ commands: inout [Command]) {
    for (id, queue) in queues {
      let rest = queue.filter { $0.parent != group }
      guard rest.count < queue.count else { continue }
      queues[id] = rest.isEmpty ? nil : rest
      for one in queue where one.parent == group { release(one.batchID, &commands) }
    }
  }
}
