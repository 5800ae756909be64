/// The sessions that one view model follows.
///
/// Pure, but for the tasks that it cancels.
struct FollowBook {
  private struct Entry {
    let generation: Int
    var task: Task<Void, Never>?
    /// The value that was shown last.
    var shown: (any Sendable)?
    /// The newest view, until it is processed.
    var waiting: FollowedView?
  }

  private var entries: [FollowingID: Entry] = [:]
  private var generation = 0
  /// Whether the view model was asked what it follows.
  private(set) var hasBegun = false

  /// The addresses that are followed.
  var addresses: Set<SessionAddress> { Set(entries.keys.map(\.address)) }

  /// Replaces what is followed; returns what is new, each with its generation.
  mutating func follow(_ ids: [FollowingID]) -> [(id: FollowingID, generation: Int)] {
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

  func isCurrent(_ id: FollowingID, _ generation: Int) -> Bool {
    entries[id]?.generation == generation
  }

  mutating func setTask(_ task: Task<Void, Never>, of id: FollowingID) {
    entries[id]?.task = task
  }

  /// Keeps the newest view in place of one that waits; returns whether none did.
  mutating func keep(_ view: FollowedView, of id: FollowingID) -> Bool {
    let isFirst = entries[id]?.waiting == nil
    entries[id]?.waiting = view
    return isFirst
  }

  func isWaiting(_ id: FollowingID) -> Bool { entries[id]?.waiting != nil }

  mutating func takeView(of id: FollowingID) -> (view: FollowedView, shown: (any Sendable)?)? {
    guard let entry = entries[id], let view = entry.waiting else { return nil }
    entries[id]?.waiting = nil
    return (view, entry.shown)
  }

  mutating func setShown(_ value: any Sendable, of id: FollowingID) { entries[id]?.shown = value }

  func ids(of address: SessionAddress) -> [FollowingID] {
    entries.keys.filter { $0.address == address }
  }

  func cancelAll() {
    for entry in entries.values { entry.task?.cancel() }
  }
}
