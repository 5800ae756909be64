/// The names of running work as they are stored with a turn: all of them, or what has changed where they are many.
///
/// So those of ten thousand children's timers are not stored with each turn of one child. Changes are a list that
/// begins with `=`; what has come begins with `+`, what is gone with `-`.
package enum RunningNames {
  private static let mark = "="

  /// The stand-in for the names of the turn before.
  package static let asBefore = [mark]

  static func changes(come: [String], gone: [String]) -> [String] {
    [mark] + come.map { "+" + $0 } + gone.map { "-" + $0 }
  }

  /// Returns whether a stored list has only what has changed.
  package static func areChanges(_ stored: [String]) -> Bool { stored.first == mark }

  /// Returns all names, given those of the turn before.
  package static func all(_ stored: [String], after names: [String]) -> [String] {
    guard areChanges(stored) else { return stored }
    guard stored.count > 1 else { return names }
    var all = Set(names)
    for change in stored.dropFirst() {
      let name = String(change.dropFirst())
      if change.first == "+" { all.insert(name) } else { all.remove(name) }
    }
    return all.sorted()
  }
}

/// The names of running work, in the form that is stored.
extension EffectGraph {
  /// The most names that are stored in whole with each turn.
  static let few = 16
  /// The most ids whose changes are kept.
  private static let changeLimit = 64

  /// Notes that a run with an id has come or gone.
  mutating func noteChange(of id: EffectID) {
    guard let count = changedIDs?.count else { return }
    if count < Self.changeLimit { changedIDs?.insert(id) } else { changedIDs = nil }
  }

  /// Returns the names for a result that is stored, as if the run `last` had ended, and forgets what has changed.
  mutating func takeNames(besides work: Int, after last: NodeID?) -> [String] {
    defer {
      // The run that is left out has still to end.
      namesAreStale = last != nil
      changedIDs = []
    }
    return changes(after: last) ?? names(besides: work, after: last)
  }

  /// Returns the changes since the names were taken last; nil where they are few, or most have changed.
  private func changes(after last: NodeID?) -> [String]? {
    guard ids.count > Self.few, let changedIDs, changedIDs.count * 2 < ids.count else { return nil }
    var gone = changedIDs.filter { ids[$0] == nil }
    if let last, let node = nodes[last] {
      // The end of others may start something.
      guard node.parent == nil else { return nil }
      if let id = node.id {
        guard queues[id] == nil else { return nil }
        if ids[id] == [last] { gone.insert(id) }
      }
    }
    let come = changedIDs.subtracting(gone)
    return RunningNames.changes(
      come: come.map(\.storedName).sorted(),
      gone: gone.map(\.storedName).sorted()
    )
  }

  /// Returns all names, as if the run `last` had ended.
  ///
  /// Work without an id is named only if no work has one, and then by a single item.
  private func names(besides work: Int, after last: NodeID? = nil) -> [String] {
    if let last, isLive(last) {
      var graph = self
      var commands: [Command] = []
      graph.end(last, &commands)
      return graph.names(besides: work)
    }
    guard work > 0 || !nodes.isEmpty else { return [] }
    let names = ids.keys.map(\.storedName).sorted()
    return names.isEmpty ? [Interrupted.unnamed] : names
  }
}
