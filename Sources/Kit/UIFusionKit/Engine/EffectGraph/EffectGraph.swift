/// What an engine has running, waiting and owed.
///
/// Pure: events go in, and commands come out, which the engine carries out. It knows neither tasks
/// nor time.
///
/// Running effects form a tree. A node is a run, a group, or a throttle's window; when its last child
/// is over, so is a group. A node may have an id, by which it and all below it can be cancelled. Its
/// number is its generation: what belongs to a number that is gone is not delivered.
struct EffectGraph {
  /// A batch of Inputs, for which the work that it started is counted.
  struct BatchID: Hashable {
    let number: Int
  }

  /// A node of the tree; its numbers are never used again.
  struct NodeID: Hashable {
    let number: Int
  }

  enum Command {
    case start(NodeID, EffectRun.Work)
    case stop(NodeID)
    /// An action to be processed as a turn; until then its batch is retained.
    case process(any Sendable, BatchID?)
    case settled(BatchID)
  }

  enum Kind {
    case run
    /// The rest of a serial group is in reverse.
    case group(rest: [EffectStep])
    /// How long nothing more is started, and what is started then.
    case window(Duration, pending: (step: EffectStep, batchID: BatchID?)?)
  }

  struct Node {
    let batchID: BatchID?
    let parent: NodeID?
    let id: EffectID?
    var kind: Kind
    var children: Set<NodeID> = []

    /// For whom it is counted: a group is not, but what is in it, some of which may be background.
    var counted: BatchID? { if case .group = kind { nil } else { batchID } }
  }

  struct Waiting {
    let run: EffectRun
    let batchID: BatchID?
    let parent: NodeID?
  }

  var owed: [BatchID: Int] = [:]
  var nodes: [NodeID: Node] = [:]
  var ids: [EffectID: [NodeID]] = [:]
  var queues: [EffectID: [Waiting]] = [:]
  var numbers = 0

  // MARK: Owed

  /// Whether nothing that somebody waits for is left.
  var isSettled: Bool { owed.isEmpty }

  /// Whether nothing at all is left.
  var isIdle: Bool { owed.isEmpty && nodes.isEmpty && queues.isEmpty && ids.isEmpty }

  func isSettled(_ batchID: BatchID) -> Bool { owed[batchID] == nil }

  /// Begins to count for a new batch, retained once.
  mutating func begin() -> BatchID {
    let batchID = BatchID(number: nextNumber())
    owed[batchID] = 1
    return batchID
  }

  /// One more piece of work has started; for a batch that has settled, nobody waits any more.
  mutating func retain(_ batchID: BatchID?) {
    if let batchID, let count = owed[batchID] { owed[batchID] = count + 1 }
  }

  /// One piece of work is over.
  mutating func release(_ batchID: BatchID?, _ commands: inout [Command]) {
    guard let batchID, let count = owed[batchID] else { return }
    owed[batchID] = count > 1 ? count - 1 : nil
    if count == 1 { commands.append(.settled(batchID)) }
  }

  /// Forgets everything: nobody waits any more.
  mutating func clear() {
    self = EffectGraph(numbers: numbers)
  }

  init() {}

  private init(numbers: Int) {
    self.numbers = numbers
  }

  mutating func nextNumber() -> Int {
    numbers += 1
    return numbers
  }
}
