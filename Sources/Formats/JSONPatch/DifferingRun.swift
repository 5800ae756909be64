/// The shortest run of members or elements of one container in which two texts differ.
///
/// Outside the run, both texts are equal byte by byte.
struct DifferingRun {
  /// The containers around the run, from the outermost to the one that holds it.
  private(set) var levels: [Level] = []
  /// The run in the old text, from the first differing member or element.
  private(set) var old: Range<Int>
  /// The run in the new text.
  private(set) var new: Range<Int>
  /// The number of bytes that both texts have in common at their ends.
  private let suffix: Int

  /// A container with its first differing member or element.
  struct Level {
    let isObject: Bool
    /// The position of the container.
    let start: Int
    /// The position of the element, or of the member's name.
    var child: Int
    /// The index of the member or element.
    var index = 0
  }

  /// Finds the shortest run: both whole texts if they have no container in common.
  ///
  /// `first` is the index of the outermost array's first element.
  init(from old: TextScanner, to new: TextScanner, first: Int = 0) {
    let prefix = old.commonPrefix(with: new)
    let limit = min(old.count, new.count) - prefix
    suffix = old.commonSuffix(with: new, limit: limit)
    (self.old, self.new) = (0..<old.count, 0..<new.count)
    levels = Self.levels(in: new, upTo: prefix, first: first)
    find(old, new)
  }

  /// Widens the run to the member or element of the enclosing container that holds it.
  mutating func widen(_ old: TextScanner, _ new: TextScanner) {
    levels.removeLast()
    find(old, new)
  }

  private mutating func find(_ old: TextScanner, _ new: TextScanner) {
    while let level = levels.last {
      if let end = end(of: level, old, new) {
        (self.old, self.new) = (level.child..<end.old, level.child..<end.new)
        return
      }
      levels.removeLast()
    }
    (self.old, self.new) = (0..<old.count, 0..<new.count)
  }

  /// Returns the containers that are open at a position of a text.
  ///
  /// A member or element counts as passed only after its comma, since a number may continue.
  static func levels(in text: TextScanner, upTo end: Int, first: Int = 0) -> [Level] {
    var levels: [Level] = []
    open(&levels, in: text, 0..<end, first: first)
    return levels
  }

  /// Updates the open containers from a range's start to its end.
  static func open(
    _ levels: inout [Level],
    in text: TextScanner,
    _ range: Range<Int>,
    first: Int = 0
  ) {
    var index = range.lowerBound
    while index < range.upperBound {
      switch text.bytes[index] {
      case UInt8(ascii: "\""):
        index = text.indexAfterString(at: index)
        continue
      case UInt8(ascii: "{"):
        levels.append(Level(isObject: true, start: index, child: index + 1))
      case UInt8(ascii: "["):
        let first = levels.isEmpty ? first : 0
        levels.append(Level(isObject: false, start: index, child: index + 1, index: first))
      case UInt8(ascii: "}"), UInt8(ascii: "]"): _ = levels.popLast()
      case UInt8(ascii: ",") where !levels.isEmpty:
        levels[levels.count - 1].child = index + 1
        levels[levels.count - 1].index += 1
      default: break
      }
      index += 1
    }
  }

  /// Finds the ends of the differing members or elements; nil if the container ends first in one text.
  ///
  /// After the ends, the rest is equally long in both texts and part of their common suffix.
  private func end(
    of level: Level,
    _ old: TextScanner,
    _ new: TextScanner
  ) -> (old: Int, new: Int)? {
    var one = old.indexAfterChild(at: level.child, isMember: level.isObject)
    var other = new.indexAfterChild(at: level.child, isMember: level.isObject)
    while true {
      let (rest, otherRest) = (old.count - one, new.count - other)
      if rest == otherRest, rest <= suffix { return (one, other) }
      if rest >= otherRest {
        guard old.isComma(at: one) else { return nil }
        one = old.indexAfterChild(at: one + 1, isMember: level.isObject)
      }
      if otherRest >= rest {
        guard new.isComma(at: other) else { return nil }
        other = new.indexAfterChild(at: other + 1, isMember: level.isObject)
      }
    }
  }
}
