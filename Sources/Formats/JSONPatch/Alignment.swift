import FusionStrictJSON

/// The steps that turn one array into another, front to back.
///
/// Equal elements at both ends need no step. For each differing pair in between, the search for an equal
/// element ends a few elements ahead, so the time is proportional to the array's length. A missed insertion
/// or removal makes the patch longer, never wrong.
struct Alignment: Sequence, IteratorProtocol {
  enum Step {
    /// Turn the old element into the new one at this index.
    case keep(JSONValue, at: Int)
    /// Add the new element at this index.
    case add(Int)
    /// Remove the element at this index.
    case remove(Int)
  }

  /// The maximum number of elements to look ahead for an equal one.
  private static var lookahead: Int { 8 }

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
    if removals == 0, additions == 0 { countSteps() }
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

  /// Counts the removals or additions before the next pair.
  private mutating func countSteps() {
    guard oldIndex < old.endIndex, newIndex < new.endIndex else {
      removals = old.endIndex - oldIndex
      additions = new.endIndex - newIndex
      return
    }
    guard old[oldIndex] != new[newIndex] else { return }
    for distance in 1...Self.lookahead {
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
