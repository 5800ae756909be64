// Shorthands for cases: the compiler writes `{"a":{}}` and `{"a":{"_0":X}}`, a client would write `"a"` and
// `{"a":X}`.
extension EncodingBuffer {
  /// Shortens the text that an enum has just written at a place, beginning at `start`.
  ///
  /// The text stays as it is unless it is one member that holds a container. In the second pass the place is
  /// only marked, and shortened when the segments are joined.
  mutating func shortenCase(at place: Place, from start: Int) {
    guard segments == nil else {
      if place.index < frames.count { frames[place.index].isCase = true }
      return
    }
    let values = place.index + 1
    // If the enum's owner opened the object, the enum must not shorten it.
    guard !isOutOfOrder, start < bytes.count, bytes[start] == UInt8(ascii: "{"),
      values < frames.count, frames[place.index].serial == place.serial,
      let count = valuesOfCase(at: place.index, values)
    else { return }
    close(downTo: values + 1)
    guard bytes.shortenCase(from: start, count: count) else { return }
    lists?.close(gap: labelLength, from: start)
    frames.removeLast()
    names.removeLast(names.count - frames[place.index].firstName)
    frames[place.index].content = .scalar
  }

  /// Returns the number of a case's values, given the places of the case and of its values.
  ///
  /// - Returns: nil if the text at the places is not a case.
  func valuesOfCase(at place: Int, _ values: Int) -> Int? {
    guard frames[place].content == .object, frames[place].count == 1,
      frames[values].isNested, frames[values].parent == place, frames[values].content == .object
    else { return nil }
    return frames[values].count
  }
}

/// The length of `{"_0":`, which precedes an unlabelled value.
private let labelLength = 6

extension [UInt8] {
  /// Shortens the object at the end of the text, whose single member is an object with `members` members.
  ///
  /// Both objects still lack their closing bracket. A value keeps its `_0` if it could be mistaken for the
  /// object around it: `{}`, which means omitted values, or an object with a member `_0`.
  ///
  /// - Returns: whether the text was shortened.
  mutating func shortenCase(from start: Int, count members: Int) -> Bool {
    if members == 0 {
      // A loop is faster than `removeSubrange` for a short name.
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

  /// Removes a range without the checks of `removeSubrange`.
  private mutating func closeGap(_ gap: Range<Int>) {
    withUnsafeMutableBytes { all in
      // Guard: slicing checks the range, and the pointers do not leave this closure.
      UnsafeMutableRawBufferPointer(rebasing: all[gap.lowerBound...])
        .copyMemory(from: UnsafeRawBufferPointer(rebasing: all[gap.upperBound...]))
    }
    removeLast(gap.count)
  }

  /// Returns whether the object at an index is empty or has a member `_0`.
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

  /// Returns the index after the string that begins at `start`.
  func indexAfterString(at start: Int) -> Int {
    var index = start + 1
    while index < count, self[index] != UInt8(ascii: "\"") {
      index += self[index] == UInt8(ascii: "\\") ? 2 : 1
    }
    return index + 1
  }
}
