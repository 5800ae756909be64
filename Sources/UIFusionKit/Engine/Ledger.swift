/// What an engine has running, waiting and owed.
///
/// Pure: events go in, and commands come out, which the engine carries out. It knows neither tasks
/// nor time.
///
/// Running effects form a tree. A node is a run, a group, or a throttle's window; when its last child
/// is over, so is a group. A node may have an id, by which it and all below it can be cancelled. Its
/// number is its generation: what belongs to a number that is gone is not delivered.
struct Ledger {
  /// A delivery, for which the work that it started is counted.
  struct Root: Hashable {
    let number: Int
  }

  /// A node of the tree; its numbers are never used again.
  struct Token: Hashable {
    let number: Int
  }

  enum Command {
    case start(Token, EffectRun.Work)
    case stop(Token)
    /// An action to be taken as a turn; until then it holds its root.
    case take(any Sendable, Root?)
    case settled(Root)
  }

  enum Kind {
    case run
    /// The rest of a serial group is in reverse.
    case group(rest: [EffectStep])
    /// How long nothing more is started, and what is started then.
    case window(Duration, pending: (step: EffectStep, root: Root?)?)
  }

  struct Node {
    let root: Root?
    let parent: Token?
    let id: EffectID?
    var kind: Kind
    var children: Set<Token> = []

    /// For whom it is counted: a group is not, but what is in it, some of which may be background.
    var counted: Root? { if case .group = kind { nil } else { root } }
  }

  struct Waiting {
    let run: EffectRun
    let root: Root?
    let parent: Token?
  }

  var owed: [Root: Int] = [:]
  var nodes: [Token: Node] = [:]
  var ids: [EffectID: [Token]] = [:]
  var queues: [EffectID: [Waiting]] = [:]
  var numbers = 0

  // MARK: Owed

  /// Whether nothing that somebody waits for is left.
  var isSettled: Bool { owed.isEmpty }

  /// Whether nothing at all is left.
  var isIdle: Bool { owed.isEmpty && nodes.isEmpty && queues.isEmpty && ids.isEmpty }

  func isSettled(_ root: Root) -> Bool { owed[root] == nil }

  /// Begins to count for a new delivery, with one hold on it.
  mutating func begin() -> Root {
    let root = Root(number: nextNumber())
    owed[root] = 1
    return root
  }

  /// One more piece of work has started; for a delivery that has settled, nobody waits any more.
  mutating func hold(_ root: Root?) {
    if let root, let count = owed[root] { owed[root] = count + 1 }
  }

  /// One piece of work is over.
  mutating func release(_ root: Root?, _ commands: inout [Command]) {
    guard let root, let count = owed[root] else { return }
    owed[root] = count > 1 ? count - 1 : nil
    if count == 1 { commands.append(.settled(root)) }
  }

  /// Forgets everything: nobody waits any more.
  mutating func clear() {
    self = Ledger(numbers: numbers)
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
