/// Cases in short: the compiler writes `{"a":{}}` and `{"a":{"_0":X}}`, a client would write `"a"` and
/// `{"a":X}`.
extension EncodingBuffer {
  /// Shortens what an enum has just written at a place, from `start` on; in the second pass, when all
  /// is put together.
  ///
  /// Left as it is where the enum has written anything but one member that holds a container.
  mutating func shortenCase(at place: Place, from start: Int) {
    guard segments == nil else {
      if place.index < frames.count { frames[place.index].isCase = true }
      return
    }
    let values = place.index + 1
    // Where the object was begun by whoever holds the enum, it is not the enum's to shorten.
    guard !isInterleaved, start < bytes.count, bytes[start] == UInt8(ascii: "{"),
      values < frames.count, frames[place.index].serial == place.serial,
      let count = valuesOfCase(at: place.index, values)
    else { return }
    close(downTo: values + 1)
    guard bytes.shortenCase(from: start, count: count) else { return }
    lists?.close(gap: labelLength, from: start)
    frames.removeLast()
    frames[place.index].filling = .scalar
  }

  /// How many values the case has whose values are at a place; nil where that is no case.
  func valuesOfCase(at place: Int, _ values: Int) -> Int? {
    guard frames[place].filling == .object, frames[place].count == 1,
      frames[values].isNested, frames[values].parent == place, frames[values].filling == .object
    else { return nil }
    return frames[values].count
  }
}

/// What stands in front of a value without a label: `{"_0":`.
private let labelLength = 6

extension [UInt8] {
  /// Shortens the object at the end whose one member is an object with so many members.
  ///
  /// Both are still without their last bracket; false if they have to stay as they are.
  /// A value stays below its `_0` where it would be taken for the object around it: `{}`, which says
  /// that the values are left out, and an object with a member `_0`.
  mutating func shortenCase(from start: Int, count members: Int) -> Bool {
    if members == 0 {
      // A name is short, so that moving it by hand is the shorter way.
      let end = count - 3
      for index in start..<end { self[index] = self[index + 1] }
      removeLast(3)
      return true
    }
    guard members == 1 else { return false }
    let values = indexAfterString(at: start + 1) + 1
    let value = values + labelLength
    guard count > value, self[values + 1] == UInt8(ascii: "\""),
      self[values + 2] == UInt8(ascii: "_"),
      self[values + 3] == UInt8(ascii: "0"), self[values + 4] == UInt8(ascii: "\""),
      !isTakenForValues(at: value)
    else { return false }
    closeGap(values..<value)
    append(UInt8(ascii: "}"))
    return true
  }

  /// Takes out some bytes, without the checks of `removeSubrange`.
  private mutating func closeGap(_ gap: Range<Int>) {
    withUnsafeMutableBytes { all in
      // Guard: the slices check the range; the pointers serve within this closure alone.
      UnsafeMutableRawBufferPointer(rebasing: all[gap.lowerBound...])
        .copyMemory(from: UnsafeRawBufferPointer(rebasing: all[gap.upperBound...]))
    }
    removeLast(gap.count)
  }

  /// Whether an object stands there that is empty, or has a member `_0`.
  private func isTakenForValues(at object: Int) -> Bool {
    guard self[object] == UInt8(ascii: "{") else { return false }
    if self[object + 1] == UInt8(ascii: "}") { return true }
    var (index, depth, isName) = (object, 0, false)
    while index < count {
      switch self[index] {
      case UInt8(ascii: "\""):
        if isName, self[index...].starts(with: #""_0":"#.utf8) { return true }
        index = indexAfterString(at: index)
        isName = false
        continue
      case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
      default: break
      }
      // A name follows the object's own bracket and its own commas.
      isName = index == object || depth == 1 && self[index] == UInt8(ascii: ",")
      if depth == 0 { return false }
      index += 1
    }
    return false
  }

  /// Behind the string that begins there, as the writer has written it.
  private func indexAfterString(at start: Int) -> Int {
    var index = start + 1
    while index < count, self[index] != UInt8(ascii: "\"") {
      index += self[index] == UInt8(ascii: "\\") ? 2 : 1
    }
    return index + 1
  }
}
