/// The effects of an engine, running and queued, and the work that is pending for each batch.
///
/// A pure state machine: events go in, and commands for the engine come out. The graph knows neither
/// tasks nor time.
///
/// Running effects form a tree. A node is a run, a group, or a throttle's window; a group ends with its last
/// child. A node with an id can be cancelled by it, with all nodes below. A node's number is its generation:
/// actions of a node that was removed are not delivered.
struct EffectGraph {
  /// A batch of Inputs, whose pending work is counted; and whether its sender is foreign.
  struct BatchID: Hashable {
    let number: Int
    /// See ``InputOrigin/isForeign``.
    var isForeign = false

    /// The batch of work that foreign Inputs cause and that is not counted: no batch has this number.
    static let foreign = BatchID(number: 0, isForeign: true)

    /// The batch of background work.
    var uncounted: BatchID? { isForeign ? .foreign : nil }
  }

  /// A node of the tree; numbers are never reused.
  struct NodeID: Hashable {
    let number: Int
  }

  enum Command {
    case start(NodeID, EffectRun.Work)
    case stop(NodeID)
    /// Processes an action as a turn; its batch stays retained until then.
    ///
    /// Dropped if the child that gets the action has left State by then.
    case process(any Sendable, BatchID?, EffectScope?)
    /// Sets or cancels an alarm of a child, or of the view model itself.
    case alarm(AlarmStep, BatchID?, EffectScope?)
    /// Drops the waiting actions and the alarms of children that left State.
    case drop(Set<EffectScope>)
    case settled(BatchID)
  }

  enum Kind {
    case run
    /// The steps that a serial group has still to start, in reverse order.
    case group(rest: [EffectStep])
    /// The interval in which no further step starts, and the step that starts after it.
    case window(Duration, pending: (step: EffectStep, batchID: BatchID?)?)
  }

  /// The place of an effect.
  struct Place {
    /// The batch that the effect works for; nil or uncounted for background work.
    var batchID: BatchID?
    /// The group that the effect is a step of.
    var parent: NodeID?
    /// The child that the effect belongs to; nil for the view model itself.
    var scope: EffectScope?
  }

  struct Node {
    let place: Place
    let id: EffectID?
    var kind: Kind
    var children: Set<NodeID> = []

    /// The batch that the node counts for.
    ///
    /// A group does not count: some of its children may be background work.
    var counted: BatchID? { if case .group = kind { nil } else { place.batchID } }
  }

  struct QueuedRun {
    let run: EffectRun
    let place: Place
  }

  var pending: [BatchID: Int] = [:]
  var nodes: [NodeID: Node] = [:]
  var ids: [EffectID: [NodeID]] = [:]
  /// The stored names of ``ids``, sorted; nil until they are asked for.
  var knownNames: [String]?
  var queues: [EffectID: [QueuedRun]] = [:]
  /// The number of nodes that work for foreign Inputs.
  var foreignCount = 0
  var lastNumber = 0
  /// The commands that the engine has not executed yet; `Engine.change` executes them after each change of
  /// the graph.
  var commands: [Command] = []

  /// Returns the commands since the last call.
  mutating func takeCommands() -> [Command] {
    defer { commands = [] }
    return commands
  }

  // MARK: Pending work

  /// Whether no batch has pending work.
  var isSettled: Bool { pending.isEmpty }

  /// Whether nothing is running or queued, and nothing is pending but what messages hold.
  func isIdle(holding count: Int = 0) -> Bool {
    nodes.isEmpty && queues.isEmpty && ids.isEmpty && pending.values.reduce(0, +) == count
  }

  func isSettled(_ batchID: BatchID) -> Bool { pending[batchID] == nil }

  /// Adds a batch, retained once.
  mutating func begin(isForeign: Bool = false) -> BatchID {
    let batchID = BatchID(number: nextNumber(), isForeign: isForeign)
    pending[batchID] = 1
    return batchID
  }

  /// Counts a piece of work that has started; ignored for a batch that has settled.
  mutating func retain(_ batchID: BatchID?) {
    if let batchID, let count = pending[batchID] { pending[batchID] = count + 1 }
  }

  /// Counts a piece of work that has ended.
  mutating func release(_ batchID: BatchID?) {
    guard let batchID, let count = pending[batchID] else { return }
    pending[batchID] = count > 1 ? count - 1 : nil
    if count == 1 { commands.append(.settled(batchID)) }
  }

  /// Removes everything but the counter: the late result of an effect must not match a newer node's number.
  mutating func clear() {
    let last = lastNumber
    self = EffectGraph()
    lastNumber = last
  }

  mutating func nextNumber() -> Int {
    lastNumber += 1
    return lastNumber
  }
}

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
