import FusionStrictJSON

/// Makes a patch of two texts, of which it reads no more than what differs.
///
/// Right by construction: what is the same to the byte around a ``Run`` stays as it is, and the operations
/// for the run are applied to it, and have to give what the new text has there.
struct TextPatchMaker {
  private(set) var maker: PatchMaker
  /// How many bytes of the new text were read, all in all.
  private(set) var read = 0

  init(limit: Int) {
    maker = PatchMaker(limit: limit)
  }

  /// Turns one text into another; false where there is no room for it, or no way.
  mutating func turn(_ old: TextScanner, into new: TextScanner, at place: Pointer) -> Bool {
    var run = Run(from: old, to: new)
    let start = maker.count
    while let container = run.levels.last {
      // So many bytes the container has at the least, and those around it: in whole none is shorter.
      let least = run.new.upperBound - container.start
      if let place = place.following(run.levels.dropLast(), in: new) {
        let isDone = turnPairs(run, old, new, at: place) ?? turnRun(run, old, new, at: place)
        if isDone, maker.count - start <= least { return true }
        if !isDone, maker.limit - start < least { return false }
      }
      maker.truncate(to: start)
      run.widen(old, new)
    }
    return turnRun(run, old, new, at: place)
  }

  /// Turns several members one by one; nil unless it is that, and their names are the same.
  private mutating func turnPairs(
    _ run: Run,
    _ old: TextScanner,
    _ new: TextScanner,
    at place: Pointer
  ) -> Bool? {
    guard run.levels.last?.isObject == true else { return nil }
    var pairs: [(name: Range<Int>, old: Range<Int>, new: Range<Int>)] = []
    var (one, other) = (run.old.lowerBound, run.new.lowerBound)
    while one < run.old.upperBound, other < run.new.upperBound {
      let name = one..<old.indexAfterString(at: one)
      let newName = other..<new.indexAfterString(at: other)
      guard old[name].isSame(as: new[newName]), name.upperBound < run.old.upperBound,
        newName.upperBound < run.new.upperBound
      else { return nil }
      let value = name.upperBound + 1..<old.indexAfterValue(at: name.upperBound + 1)
      let newValue = newName.upperBound + 1..<new.indexAfterValue(at: newName.upperBound + 1)
      pairs.append((newName, value, newValue))
      (one, other) = (value.upperBound + 1, newValue.upperBound + 1)
    }
    // Behind the comma that would follow.
    guard pairs.count > 1, one == run.old.upperBound + 1, other == run.new.upperBound + 1 else {
      return nil
    }
    return pairs.allSatisfy { pair in
      if old[pair.old].isSame(as: new[pair.new]) { return true }
      guard let name = new.name(in: pair.name) else { return false }
      return turn(old[pair.old], into: new[pair.new], at: place.member(name))
    }
  }

  /// Reads what differs: members or elements of a container, or all.
  private mutating func turnRun(
    _ run: Run,
    _ oldText: TextScanner,
    _ newText: TextScanner,
    at place: Pointer
  ) -> Bool {
    let container = run.levels.last
    let (from, to) = (oldText[run.old].text(in: container), newText[run.new].text(in: container))
    read += to.count
    guard let old = try? JSONDocument(from).root, let new = try? JSONDocument(to).root else {
      return false
    }
    let start = maker.count
    var window = JSONPatch.Window(depth: place.depth)
    let isDone: Bool
    switch container {
    case nil: isDone = maker.turn(old, into: new, at: place)
    case let container? where container.isObject:
      // A member that comes in stands last: behind those that follow the run, too.
      if newText.isComma(at: run.new.upperBound),
        new.members.contains(where: { old[$0.name] == nil })
      {
        return false
      }
      isDone = maker.turnMembers(of: old, into: new, at: place)
    case let container?:
      window.first = container.index
      isDone = maker.turnElements(of: old, into: new, at: place, from: container.index)
    }
    guard isDone, let patch = try? JSONDocument(maker.operations(since: start)).root else {
      return false
    }
    return (try? JSONPatch.apply(patch, to: old, within: window)) == to
  }
}

extension TextScanner {
  fileprivate func isSame(as other: TextScanner) -> Bool {
    count == other.count && commonPrefix(with: other) == count
  }

  fileprivate func name(in range: Range<Int>) -> String? {
    (try? JSONDocument(Array(bytes[range])))?.root.string
  }

  /// A text of its own: with the brackets of the container that it is a part of.
  fileprivate func text(in container: Run.Level?) -> [UInt8] {
    guard let container else { return Array(bytes) }
    let (open, close) = container.isObject ? ("{", "}") : ("[", "]")
    return Array(open.utf8) + bytes + Array(close.utf8)
  }
}

extension Pointer {
  /// Goes on into containers; nil where a name cannot be read.
  fileprivate func following(_ levels: ArraySlice<Run.Level>, in text: TextScanner) -> Pointer? {
    var place = self
    for level in levels {
      if level.isObject {
        guard let name = text.name(in: level.child..<text.indexAfterString(at: level.child)) else {
          return nil
        }
        place = place.member(name)
      } else {
        place = place.element(level.index)
      }
    }
    return place
  }
}
