import FusionStrictJSON

/// A writer of the operations that turn one text into another, which parses only the differing part.
///
/// The result is verified: nothing changes outside a ``DifferingRun``, and applying the operations to the run
/// must give the new text's bytes.
struct TextPatchMaker {
  private(set) var patch: PatchMaker
  /// The number of bytes of the new text that were parsed.
  private(set) var parsedCount = 0

  init(limit: Int) {
    patch = PatchMaker(limit: limit)
  }

  /// Writes the operations that turn one text into another; returns false if none are correct and short
  /// enough.
  ///
  /// With `first`, the texts are a part of the array at `place`, beginning at that index. A part cannot be
  /// replaced as a whole, so its operations may be longer.
  mutating func diff(
    _ old: TextScanner,
    _ new: TextScanner,
    at place: Pointer,
    from first: Int? = nil
  ) -> Bool {
    var run = DifferingRun(from: old, to: new, first: first ?? 0)
    let start = patch.count
    while let container = run.levels.last {
      // The container's length up to the run's end, which is cheaper to find than the whole length.
      let least = run.new.upperBound - container.start
      if let place = place.following(run.levels.dropLast(), in: new) {
        let isDone = diffPairs(run, old, new, at: place) ?? diffRun(run, old, new, at: place)
        if !isDone, patch.limit - start < least { return false }
        // Operations up to the container's length are shorter than replacing it.
        let count = patch.count - start
        let isPart = first != nil && run.levels.count == 1
        if isDone, isPart || count <= least || count <= container.length(of: run, in: new) {
          return true
        }
      }
      patch.truncate(to: start)
      run.widen(old, new)
    }
    return first == nil && diffRun(run, old, new, at: place)
  }

  /// Writes the operations for several members one by one; returns nil unless their names are the same.
  private mutating func diffPairs(
    _ run: DifferingRun,
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
    // Both positions are after the comma that would follow.
    guard pairs.count > 1, one == run.old.upperBound + 1, other == run.new.upperBound + 1 else {
      return nil
    }
    return pairs.allSatisfy { pair in
      if old[pair.old].isSame(as: new[pair.new]) { return true }
      guard let name = new.name(in: pair.name) else { return false }
      return diff(old[pair.old], new[pair.new], at: place.member(name))
    }
  }

  /// Parses the run, in its container's brackets, and writes its operations.
  private mutating func diffRun(
    _ run: DifferingRun,
    _ oldText: TextScanner,
    _ newText: TextScanner,
    at place: Pointer
  ) -> Bool {
    let container = run.levels.last
    let (from, to) = (oldText[run.old].text(in: container), newText[run.new].text(in: container))
    parsedCount += to.count
    guard let old = try? JSONDocument(from).root, let new = try? JSONDocument(to).root else {
      return false
    }
    let start = patch.count
    var window = JSONPatch.Window(depth: place.depth)
    let isDone: Bool
    switch container {
    case nil: isDone = patch.diff(old, new, at: place)
    case let container? where container.isObject:
      // A patch adds a member last, after those that follow the run.
      if newText.isComma(at: run.new.upperBound),
        new.members.contains(where: { old[$0.name] == nil })
      {
        return false
      }
      isDone = patch.diffMembers(old, new, at: place)
    case let container?:
      window.first = container.index
      isDone = patch.diffElements(old, new, at: place, from: container.index)
    }
    guard isDone,
      let operations = try? JSONDocument(patch.operations(since: start), wrapping: 2).root
    else {
      return false
    }
    return (try? JSONPatch.apply(operations, to: old, within: window)) == to
  }
}

extension DifferingRun.Level {
  /// Returns the container's length, given a run within it.
  fileprivate func length(of run: DifferingRun, in text: TextScanner) -> Int {
    // The outermost container is the whole text: no need to search for its end.
    (run.levels.count == 1 ? text.count : text.indexAfterValue(at: start)) - start
  }
}

extension TextScanner {
  fileprivate func isSame(as other: TextScanner) -> Bool {
    count == other.count && commonPrefix(with: other) == count
  }

  fileprivate func name(in range: Range<Int>) -> String? {
    (try? JSONDocument(Array(bytes[range])))?.root.string
  }

  /// Returns the bytes as a JSON text, in the brackets of their container.
  fileprivate func text(in container: DifferingRun.Level?) -> [UInt8] {
    guard let container else { return Array(bytes) }
    let (open, close) = container.isObject ? ("{", "}") : ("[", "]")
    return Array(open.utf8) + bytes + Array(close.utf8)
  }
}

extension Pointer {
  /// Returns the pointer extended by containers; nil if a name cannot be decoded.
  func following(_ levels: ArraySlice<DifferingRun.Level>, in text: TextScanner)
    -> Pointer?
  {
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
