/// Cancelling: by id, by what started it, and all that lies below.
extension Ledger {
  /// Ends everything of that id, and what waits to be.
  mutating func cancel(_ id: EffectID, _ commands: inout [Command]) {
    // Not what starts only because others end.
    let tokens = ids[id] ?? []
    for token in tokens where isWindow(token) { cancel(token, &commands) }
    dropWaiting(id, &commands)
    for token in tokens { cancel(token, &commands) }
  }

  mutating func dropWaiting(_ id: EffectID, _ commands: inout [Command]) {
    for one in queues.removeValue(forKey: id) ?? [] {
      if let parent = one.parent { goOn(parent, &commands) }
      release(one.root, &commands)
    }
  }

  /// Ends everything that a delivery started.
  mutating func cancel(_ root: Root, _ commands: inout [Command]) {
    for (id, queue) in queues {
      let rest = queue.filter { $0.root != root }
      guard rest.count < queue.count else { continue }
      queues[id] = rest.isEmpty ? nil : rest
      for _ in rest.count..<queue.count { release(root, &commands) }
    }
    for (token, node) in nodes {
      guard case .window(let duration, let pending?) = node.kind, pending.root == root else {
        continue
      }
      nodes[token]?.kind = .window(duration, pending: nil)
      release(root, &commands)
    }
    let tops = nodes.filter { $0.value.root == root && $0.value.parent == nil }
    for token in tops.keys.sorted(by: { $0.number < $1.number }) { cancel(token, &commands) }
  }

  /// Ends a node and all below it.
  mutating func cancel(_ token: Token, _ commands: inout [Command]) {
    guard let node = nodes[token] else { return }
    // What it ends may be all that counts, just before its group goes on to something that does.
    hold(node.root)
    defer { release(node.root, &commands) }
    switch node.kind {
    case .run: commands.append(.stop(token))
    case .window(let duration, let pending):
      commands.append(.stop(token))
      nodes[token]?.kind = .window(duration, pending: nil)
      if let pending { release(pending.root, &commands) }
    case .group:
      // First the rest, so that no child's end starts it.
      nodes[token]?.kind = .group(rest: [])
      dropWaiting(in: token, &commands)
      for child in node.children.sorted(by: { $0.number < $1.number }) { cancel(child, &commands) }
    }
    // A group is gone by now if its last child took it along.
    remove(token, &commands)
  }

  private mutating func dropWaiting(in group: Token, _ commands: inout [Command]) {
    for (id, queue) in queues {
      let rest = queue.filter { $0.parent != group }
      guard rest.count < queue.count else { continue }
      queues[id] = rest.isEmpty ? nil : rest
      for one in queue where one.parent == group { release(one.root, &commands) }
    }
  }
}
