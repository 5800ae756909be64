import UIFusionKit

/// The visitors of a session, and the changes that its view model is still to be told of.
///
/// A visitor is present from the first visit until five seconds after the last. The role is the greatest of all visits,
/// and is lowered five seconds after the last visit in it.
struct VisitorTable {
  private struct Entry {
    /// The place in the order in which visitors came.
    let number: Int
    /// The visitor as the view model is to know it.
    var visitor: Visitor
    /// The number of visits in each role.
    var visits: [Visitor.Role: Int] = [:]
    var isThere = true
    /// The time at which the role is lowered to that of the remaining visits; nil if it stays.
    var staysUntil: Duration?
    /// The end of the last visit; nil while a visit goes on.
    var goneSince: Duration?
    /// The visitor as the view model was told; nil if it was told nothing, or that the visitor has left.
    var told: Visitor?
    var isChanged = false

    var hasNews: Bool { told != (isThere ? visitor : nil) }
  }

  static let grace = Duration.seconds(5)

  private var entries: [ByteString: Entry] = [:]
  private var lastNumber = 0
  /// The ids of visitors with news for the view model, in order.
  private var changed: [ByteString] = []
  /// The number of instances that the session has had; each one is told anew.
  private(set) var generation = 0
  /// Whether the view model may count visitors from before a restart as present.
  private var isRestarted = false
  private var isRemainderDue = false
  /// Whether a change was rejected: the next one names all who are present, as far as is known.
  private var isRejected = false

  /// Notes a visit, until ``leave(_:_:)``.
  mutating func enter(_ visitor: Visitor) {
    var entry = entries[ByteString(visitor.id)] ?? newEntry(visitor)
    if !entry.isThere, entry.visits.isEmpty {
      let told = entry.told
      let isChanged = entry.isChanged
      entry = newEntry(visitor)
      (entry.told, entry.isChanged) = (told, isChanged)
    }
    entry.visits[visitor.role, default: 0] += 1
    entry.goneSince = nil
    if visitor.role >= entry.visitor.role {
      entry.visitor = visitor
      entry.staysUntil = nil
    }
    keep(entry)
  }

  private mutating func newEntry(_ visitor: Visitor) -> Entry {
    lastNumber += 1
    return Entry(number: lastNumber, visitor: visitor)
  }

  /// Notes the end of a visit; returns whether ``expire(_:_:)`` is to be called after ``grace``.
  mutating func leave(_ visitor: Visitor, _ now: Duration) -> Bool {
    guard var entry = entries[ByteString(visitor.id)], let count = entry.visits[visitor.role] else {
      return false
    }
    entry.visits[visitor.role] = count > 1 ? count - 1 : nil
    let falls = entry.visits[entry.visitor.role] == nil && entry.staysUntil == nil
    if falls { entry.staysUntil = now + Self.grace }
    if entry.visits.isEmpty { entry.goneSince = now }
    entries[ByteString(visitor.id)] = entry
    return falls || entry.visits.isEmpty
  }

  /// Notes that a visitor has not come back in time, if that is so.
  mutating func expire(_ id: String, _ now: Duration) {
    guard var entry = entries[ByteString(id)] else { return }
    if let goneSince = entry.goneSince {
      guard goneSince + Self.grace <= now else { return }
      entry.isThere = false
    } else if let end = entry.staysUntil, end <= now, let role = entry.visits.keys.max() {
      entry.staysUntil = nil
      entry.visitor = entry.visitor.with(role)
    } else {
      return
    }
    keep(entry)
  }

  /// Begins with a new instance; a restored one may count any visitor as present.
  mutating func restart(isRestored: Bool) {
    generation += 1
    (isRestarted, isRemainderDue, isRejected) = (isRestored, false, false)
    entries = entries.filter(\.value.isThere)
    for id in entries.keys {
      entries[id]?.told = nil
      entries[id]?.isChanged = true
    }
    changed = present.map { ByteString($0.id) }
  }

  /// Notes that visitors from before the restart have had their time to come back.
  mutating func endReturn(_ generation: Int) {
    if isRestarted, generation == self.generation { isRemainderDue = true }
  }

  /// The visitors who are present, in the order in which they came.
  var present: [Visitor] {
    entries.values.filter(\.isThere).sorted { $0.number < $1.number }.map(\.visitor)
  }

  /// Whether there is something to tell.
  var hasNews: Bool { isRemainderDue || changed.contains { entries[$0]?.hasNews == true } }

  /// The next change to tell; nil if there is none.
  var next: PresenceChange? {
    if isRejected, isRemainderDue { return PresenceChange(.remained, present) }
    let entries = changed.compactMap { self.entries[$0] }.filter(\.hasNews)
    let joined = entries.filter(\.isThere).map(\.visitor)
    if !joined.isEmpty { return PresenceChange(.joined, joined) }
    if isRemainderDue { return PresenceChange(.remained, present) }
    let left = entries.compactMap(\.told)
    return left.isEmpty ? nil : PresenceChange(.left, left)
  }

  /// Returns whether State may list visitors once the view model is told of a change.
  func isVisited(after change: PresenceChange) -> Bool {
    switch change.kind {
    case .joined: return true
    case .remained: return !change.visitors.isEmpty
    case .left:
      let left = Set(change.visitors.map { ByteString($0.id) })
      return isRestarted || entries.contains { $0.value.told != nil && !left.contains($0.key) }
    }
  }

  /// Notes that the instance of a generation was told of a change.
  mutating func told(_ change: PresenceChange, _ generation: Int) {
    guard generation == self.generation else { return }
    for visitor in change.visitors {
      entries[ByteString(visitor.id)]?.told = change.kind == .left ? nil : visitor
    }
    if change.kind == .remained {
      (isRestarted, isRemainderDue, isRejected) = (false, false, false)
      let ids = Set(change.visitors.map { ByteString($0.id) })
      for id in changed where !ids.contains(id) { entries[id]?.told = nil }
    }
    let all = changed
    changed = []
    for id in all {
      guard var entry = entries[id] else { continue }
      entry.isChanged = false
      keep(entry)
    }
  }

  /// Notes that the instance of a generation has rolled back the turn in which it was told of a change.
  mutating func rejected(_ generation: Int) {
    guard generation == self.generation else { return }
    isRejected = true
    // Visitors from before a restart still have their time to come back.
    if !isRestarted { isRemainderDue = true }
  }

  /// Keeps an entry, unless the visitor has left and the view model knows.
  private mutating func keep(_ entry: Entry) {
    var entry = entry
    let id = ByteString(entry.visitor.id)
    if entry.hasNews, !entry.isChanged {
      entry.isChanged = true
      changed.append(id)
    }
    entries[id] = entry.isThere || entry.told != nil || entry.isChanged ? entry : nil
  }
}
