/// Where two texts differ: in a few members or elements that follow one another in one container, with
/// all that is around them the same to the byte.
struct Run {
  /// The containers around it that both texts have, from the outermost to the one that holds it.
  private(set) var levels: [Level] = []
  /// What stands there in either text, from the first member or element that differs.
  private(set) var old: Range<Int>
  private(set) var new: Range<Int>
  /// How many bytes both texts have in common at their ends.
  private let suffix: Int

  /// A container, and which of its members or elements is the first that differs, or holds what does.
  struct Level {
    let isObject: Bool
    /// Where the container begins.
    let start: Int
    /// Where the member or element does, at its name where it has one.
    var child: Int
    var index = 0
  }

  /// The shortest one; both texts in whole, where they have no container in common.
  init(from old: TextScanner, to new: TextScanner) {
    let prefix = old.commonPrefix(with: new)
    let limit = min(old.count, new.count) - prefix
    suffix = old.commonSuffix(with: new, limit: limit)
    (self.old, self.new) = (0..<old.count, 0..<new.count)
    open(new, upTo: prefix)
    find(old, new)
  }

  /// Takes the container for what differs, in the container around it.
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

  /// Finds what is open behind the beginning that both texts have in common.
  ///
  /// Something is passed only with the comma behind it, as a number may go on.
  private mutating func open(_ text: TextScanner, upTo end: Int) {
    var index = 0
    while index < end {
      switch text.bytes[index] {
      case UInt8(ascii: "\""):
        index = text.indexAfterString(at: index)
        continue
      case UInt8(ascii: "{"):
        levels.append(Level(isObject: true, start: index, child: index + 1))
      case UInt8(ascii: "["):
        levels.append(Level(isObject: false, start: index, child: index + 1))
      case UInt8(ascii: "}"), UInt8(ascii: "]"): _ = levels.popLast()
      case UInt8(ascii: ",") where !levels.isEmpty:
        levels[levels.count - 1].child = index + 1
        levels[levels.count - 1].index += 1
      default: break
      }
      index += 1
    }
  }

  /// Where the members or elements end that differ; nil where the container ends in one text before.
  ///
  /// What follows is as long in both, and a part of the end that they have in common.
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
