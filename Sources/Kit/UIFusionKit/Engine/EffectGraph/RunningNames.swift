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
