import FusionStrictJSON

/// Which elements of an array became which of another, front to back.
///
/// Equal elements at both ends are left alone. In between, each pair that differs looks a few elements
/// ahead for its equal: what was inserted or removed before it is then seen as just that. So a list
/// takes time in proportion to its length; what this misses costs a longer patch, never a wrong one.
struct Alignment: Sequence, IteratorProtocol {
  enum Step {
    /// An old element, to become the new one at this index.
    case keep(JSONValue, at: Int)
    /// The new element at this index comes in there.
    case add(Int)
    /// What stands at this index goes.
    case remove(Int)
  }

  /// How far ahead an equal element is looked for.
  private static var reach: Int { 8 }

  private let old: ArraySlice<JSONValue>
  private let new: ArraySlice<JSONValue>
  private var (oldIndex, newIndex): (Int, Int)
  private var removals = 0
  private var additions = 0

  init(_ old: [JSONValue], _ new: [JSONValue]) {
    var start = 0
    while start < old.count, start < new.count, old[start] == new[start] { start += 1 }
    var (oldEnd, newEnd) = (old.count, new.count)
    while oldEnd > start, newEnd > start, old[oldEnd - 1] == new[newEnd - 1] {
      oldEnd -= 1
      newEnd -= 1
    }
    self.old = old[start..<oldEnd]
    self.new = new[start..<newEnd]
    (oldIndex, newIndex) = (start, start)
  }

  mutating func next() -> Step? {
    if removals == 0, additions == 0 { look() }
    if removals > 0 {
      removals -= 1
      oldIndex += 1
      return .remove(newIndex)
    }
    if additions > 0 {
      additions -= 1
      newIndex += 1
      return .add(newIndex - 1)
    }
    guard oldIndex < old.endIndex else { return nil }
    oldIndex += 1
    newIndex += 1
    return .keep(old[oldIndex - 1], at: newIndex - 1)
  }

  /// Finds out how many go, or come in, before the next pair.
  private mutating func look() {
    guard oldIndex < old.endIndex, newIndex < new.endIndex else {
      removals = old.endIndex - oldIndex
      additions = new.endIndex - newIndex
      return
    }
    guard old[oldIndex] != new[newIndex] else { return }
    for distance in 1...Self.reach {
      if oldIndex + distance < old.endIndex, old[oldIndex + distance] == new[newIndex] {
        removals = distance
        return
      }
      if newIndex + distance < new.endIndex, old[oldIndex] == new[newIndex + distance] {
        additions = distance
        return
      }
    }
  }
}
