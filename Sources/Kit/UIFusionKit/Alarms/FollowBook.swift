/// The sessions that one view model follows.
///
/// Has no side effects, except that it cancels tasks.
struct FollowBook {
  private struct Entry {
    let generation: Int
    var task: Task<Void, Never>?
    /// The value that was last shown to the view model.
    var shown: (any Sendable)?
    /// The newest State, until it is processed.
    var waiting: FollowedView?
    /// Whether the session is over; processed after its last State, unless another one follows.
    var isOver = false
  }

  /// The maximum number of sessions that one view model follows: each is kept awake, and has a task.
  static let limit = 1_000

  private var entries: [FollowingID: Entry] = [:]
  private var generation = 0
  /// Whether the view model was asked which sessions it follows.
  private(set) var hasBegun = false
  /// The addresses that foreign Inputs have led to: see ``InputOrigin/isForeign``.
  ///
  /// An address stays foreign for as long as it is listed, whoever changes State meanwhile.
  private var foreign: Set<SessionAddress> = []

  /// Creates the book of a view model whose foreign followings were stored.
  init(foreign record: Alarm? = nil) {
    foreign = Set(record.map { SessionAddress.all(in: $0.action) } ?? [])
  }

  /// The addresses of the followed sessions.
  var addresses: Set<SessionAddress> { Set(entries.keys.map(\.address)) }

  func isForeign(_ id: FollowingID) -> Bool { foreign.contains(id.address) }

  /// Replaces the followed sessions; returns the new ones, each with its generation.
  ///
  /// If `isForeign`, a foreign Input has caused the turn, and with it the new addresses.
  mutating func follow(
    _ ids: [FollowingID],
    isForeign: Bool
  ) -> [(id: FollowingID, generation: Int)] {
    let ids = ids.prefix(Self.limit)
    if isForeign || !foreign.isEmpty {
      let listed = Set(ids.map(\.address))
      foreign.formIntersection(listed)
      if isForeign { foreign.formUnion(listed.subtracting(addresses)) }
    }
    hasBegun = true
    let wanted = Set(ids)
    for (id, entry) in entries where !wanted.contains(id) {
      entry.task?.cancel()
      entries[id] = nil
    }
    var new: [(FollowingID, Int)] = []
    for id in ids where entries[id] == nil {
      generation += 1
      entries[id] = Entry(generation: generation)
      new.append((id, generation))
    }
    return new
  }

  /// The foreign followings as they are stored: in the form of an alarm that never rings; nil without any.
  var foreignRecord: Alarm? {
    foreign.isEmpty ? nil : Alarm(foreignFollowings: foreign)
  }

  func isCurrent(_ id: FollowingID, _ generation: Int) -> Bool {
    entries[id]?.generation == generation
  }

  mutating func setTask(_ task: Task<Void, Never>, of id: FollowingID) {
    entries[id]?.task = task
  }

  /// Keeps a State in place of a waiting one, or notes the end after it; returns whether to schedule its
  /// processing.
  mutating func keep(_ view: FollowedView, of id: FollowingID) -> Bool {
    guard let entry = entries[id] else { return false }
    if case .ended = view {
      entries[id]?.isOver = true
      return !entry.isOver
    }
    // The State of the next session with the name says more than the end of the one before.
    if entry.isOver { entries[id]?.shown = nil }
    entries[id]?.isOver = false
    entries[id]?.waiting = view
    return entry.waiting == nil && !entry.isOver
  }

  func isWaiting(_ id: FollowingID) -> Bool {
    entries[id].map { $0.waiting != nil || $0.isOver } ?? false
  }

  /// Takes the waiting State; without one, takes the end of the session.
  mutating func takeView(of id: FollowingID) -> (view: FollowedView, shown: (any Sendable)?)? {
    guard let entry = entries[id] else { return nil }
    if let view = entry.waiting {
      entries[id]?.waiting = nil
      return (view, entry.shown)
    }
    guard entry.isOver else { return nil }
    entries[id]?.isOver = false
    // The next session's first State is shown, whatever the last one's was.
    entries[id]?.shown = nil
    return (.ended, entry.shown)
  }

  mutating func setShown(_ value: any Sendable, of id: FollowingID) { entries[id]?.shown = value }

  func ids(of address: SessionAddress) -> [FollowingID] {
    entries.keys.filter { $0.address == address }
  }

  func cancelAll() {
    for entry in entries.values { entry.task?.cancel() }
  }
}
