import FusionStrictJSON
package import UIFusionKit

extension JSONPatch {
  /// Returns the patch that turns one State's text into another, byte for byte; compares only the pieces that
  /// the two do not share.
  ///
  /// Shared pieces are skipped, however many elements they have.
  ///
  /// - Returns: nil if elements were added, removed or moved, or the patch would be longer than `limit`
  ///   bytes: a patch between the whole texts may still exist.
  package static func text(
    fromPiecesOf old: StateText,
    to new: StateText,
    limit: Int
  ) -> [UInt8]? {
    guard !new.lists.isEmpty, old.lists.count == new.lists.count else { return nil }
    var maker = TextPatchMaker(limit: limit)
    let isDone = old.frame.withUnsafeBytes { oldFrame in
      new.frame.withUnsafeBytes { newFrame in
        // Guard: the scanners do not leave these closures.
        let frames = (TextScanner(bytes: oldFrame), TextScanner(bytes: newFrame))
        return maker.diff(old, new, in: frames)
      }
    }
    return isDone ? maker.patch.finished(within: limit) : nil
  }
}

extension TextPatchMaker {
  fileprivate mutating func diff(
    _ old: StateText,
    _ new: StateText,
    in frames: (old: TextScanner, new: TextScanner)
  ) -> Bool {
    let lists = zip(old.lists, new.lists)
    if old.frame == new.frame, lists.allSatisfy({ $0.offset == $1.offset }) {
      let changed = lists.filter { $0.elements !== $1.elements }
      return diff(changed, at: frames.new.places(of: changed.map(\.1)))
    }
    guard let places = frames.new.places(of: new.lists),
      places.map(\.text) == frames.old.places(of: old.lists)?.map(\.text)
    else { return false }
    if old.frame != new.frame {
      let start = patch.count
      let isDone = old.frame(filledWith: filling).withUnsafeBytes { old in
        new.frame(filledWith: filling).withUnsafeBytes { new in
          // Guard: the scanners do not leave these closures.
          diff(TextScanner(bytes: old), TextScanner(bytes: new), at: Pointer())
        }
      }
      guard isDone,
        let operations = try? JSONDocument(patch.operations(since: start), wrapping: 2).root
      else { return false }
      // If a list or a container of it was replaced, its elements' operations would not apply.
      let changed = operations.elements.compactMap { $0["path"]?.string }
      guard !places.contains(where: { place in changed.contains(where: place.isWithin) }) else {
        return false
      }
    }
    return diff(Array(lists), at: places)
  }

  private mutating func diff(
    _ lists: [(StateText.List, StateText.List)],
    at places: [Pointer]?
  ) -> Bool {
    guard let places else { return false }
    return zip(places, lists).allSatisfy { place, lists in
      diff(lists.0.elements, lists.1.elements, at: place, from: 0)
    }
  }

  /// Writes the operations for the elements from an index on; returns false like ``diff(_:_:at:from:)``.
  private mutating func diff(
    _ old: ListText,
    _ new: ListText,
    at place: Pointer,
    from first: Int
  ) -> Bool {
    guard old !== new else { return true }
    guard old.elements == new.elements else { return false }
    switch (old.content, new.content) {
    case (.leaf(let old, _), .leaf(let new, _)):
      guard old != new else { return true }
      let (open, close) = ([UInt8(ascii: "[")], [UInt8(ascii: "]")])
      return (open + old + close).withUnsafeBytes { old in
        (open + new + close).withUnsafeBytes { new in
          // Guard: the scanners do not leave these closures.
          diff(TextScanner(bytes: old), TextScanner(bytes: new), at: place, from: first)
        }
      }
    case (.branch(let old), .branch(let new)) where old.count == new.count:
      // If all pieces differ, elements probably moved: removing and adding one is shorter.
      guard old.count == 1 || !zip(old, new).allSatisfy({ $0.isOtherLeaf(than: $1) }) else {
        return false
      }
      var first = first
      for (old, new) in zip(old, new) {
        guard diff(old, new, at: place, from: first) else { return false }
        first += new.elements
      }
      return true
    default: return false
    }
  }
}

/// A long text in place of a list's elements, so that replacing a container never looks shorter than its
/// changes.
private let filling = Array("\"\(String(repeating: "x", count: 1 << 10))\"".utf8)

extension ListText {
  fileprivate func isOtherLeaf(than other: ListText) -> Bool {
    guard case (.leaf(let own, _), .leaf(let others, _)) = (content, other.content) else {
      return false
    }
    return self !== other && own != others
  }
}

extension TextScanner {
  /// Returns the pointers to the separate lists, in order; nil if one is within another list.
  fileprivate func places(of lists: [StateText.List]) -> [Pointer]? {
    var (levels, places, start) = ([DifferingRun.Level](), [Pointer](), 0)
    for list in lists {
      DifferingRun.open(&levels, in: self, start..<list.offset)
      start = list.offset
      let around = levels.dropLast()
      guard around.allSatisfy(\.isObject), let place = Pointer().following(around, in: self) else {
        return nil
      }
      places.append(place)
    }
    return places
  }
}

extension Pointer {
  /// Returns whether a pointer's text leads to this pointer's target or to a container of it.
  fileprivate func isWithin(_ outer: String) -> Bool {
    text == outer || text.utf8.starts(with: "\(outer)/".utf8)
  }
}
