/// Cancelling: by id, by what started it, and all that lies below.
extension EffectGraph {
  /// Ends everything of that id, and what waits to be.
  mutating func cancel(_ id: EffectID, _ commands: inout [Command]) {
    // Not what starts only because others end.
    let nodeIDs = ids[id] ?? []
    for nodeID in nodeIDs where isWindow(nodeID) { cancel(nodeID, &commands) }
    dropWaiting(id, &commands)
    for nodeID in nodeIDs { cancel(nodeID, &commands) }
  }

  mutating func dropWaiting(_ id: EffectID, _ commands: inout [Command]) {
    for one in queues.removeValue(forKey: id) ?? [] {
      if let parent = one.parent { goOn(parent, &commands) }
      release(one.batchID, &commands)
    }
  }

  /// Ends everything that a batch started.
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

  /// Ends a node and all below it.
  mutating func cancel(_ nodeID: NodeID, _ commands: inout [Command]) {
    guard let node = nodes[nodeID] else { return }
    // What it ends may be all that counts, just before its group goes on to something that does.
    retain(node.batchID)
    defer { release(node.batchID, &commands) }
    switch node.kind {
    case .run: commands.append(.stop(nodeID))
    case .window(let duration, let pending):
      commands.append(.stop(nodeID))
      nodes[nodeID]?.kind = .window(duration, pending: nil)
      if let pending { release(pending.batchID, &commands) }
    case .group:
      // First the rest, so that no child's end starts it.
      nodes[nodeID]?.kind = .group(rest: [])
      dropWaiting(in: nodeID, &commands)
      for child in node.children.sorted(by: { $0.number < $1.number }) { cancel(child, &commands) }
    }
    // A group is gone by now if its last child took it along.
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
