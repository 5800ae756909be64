import FusionStrictJSON

/// A writer of the operations that turn one parsed value into another, within a limit of bytes.
///
/// Operations apply one after another (RFC 6902 section 3): each is written for the result of the previous
/// ones.
struct PatchMaker {
  private var bytes: [UInt8] = [UInt8(ascii: "[")]
  /// The maximum number of bytes, without the closing bracket.
  let limit: Int

  init(limit: Int) {
    self.limit = limit - 1
  }

  /// Returns the whole patch; nil if it is longer than `limit` bytes.
  func finished(within limit: Int) -> [UInt8]? {
    // Even an empty patch has two bytes.
    bytes.count < limit ? bytes + [UInt8(ascii: "]")] : nil
  }

  /// The number of bytes so far.
  var count: Int { bytes.count }

  /// Removes the operations after the first `count` bytes.
  mutating func truncate(to count: Int) { bytes.removeLast(bytes.count - count) }

  /// Returns the operations after the first `count` bytes, as a patch.
  func operations(since count: Int) -> [UInt8] {
    [UInt8(ascii: "[")] + bytes[min(count + separator(at: count).count, bytes.count)...]
      + [UInt8(ascii: "]")]
  }

  /// Writes the operations that turn one value into another; returns false if they exceed the limit.
  ///
  /// If the result is false, the written operations are incomplete: the caller truncates them or gives up.
  mutating func diff(_ old: JSONValue, _ new: JSONValue, at place: Pointer) -> Bool {
    guard old != new else { return true }
    guard old.kind == new.kind, new.kind == .object || new.kind == .array else {
      return append("replace", place, new)
    }
    let start = bytes.count
    let isDone =
      new.kind == .object
      ? diffMembers(old, new, at: place) : diffElements(old, new, at: place)
    if isDone, bytes.count - start <= new.nodeCount { return true }
    // Replacing the whole value may be shorter than its changes.
    var whole: [UInt8] = []
    let room = isDone ? bytes.count - start - 1 : limit - start
    guard whole.appendOperation("replace", place, new, within: room - separator(at: start).count)
    else { return isDone }
    bytes.removeSubrange(start...)
    bytes += separator(at: start)
    bytes += whole
    return true
  }

  /// Writes the operations for the members of two objects, as ``diff(_:_:at:)`` does.
  mutating func diffMembers(_ old: JSONValue, _ new: JSONValue, at place: Pointer) -> Bool {
    for (name, value) in old.members {
      let place = place.member(name)
      guard let wanted = new[name] else {
        guard append("remove", place) else { return false }
        continue
      }
      guard diff(value, wanted, at: place) else { return false }
    }
    for (name, value) in new.members where old[name] == nil {
      guard append("add", place.member(name), value) else { return false }
    }
    return true
  }

  /// Writes the operations for the elements of two arrays, as ``diff(_:_:at:)`` does.
  ///
  /// `first` is the index of the values' first elements in the array at `place`. Operations are written front
  /// to back: elements before the current index are final.
  mutating func diffElements(
    _ old: JSONValue,
    _ new: JSONValue,
    at place: Pointer,
    from first: Int = 0
  ) -> Bool {
    let new = Array(new.elements)
    for step in Alignment(Array(old.elements), new) {
      let hasRoom =
        switch step {
        case .keep(let value, let index):
          diff(value, new[index], at: place.element(first + index))
        case .add(let index): append("add", place.element(first + index), new[index])
        case .remove(let index): append("remove", place.element(first + index))
        }
      guard hasRoom else { return false }
    }
    return true
  }

  private mutating func append(
    _ name: StaticString,
    _ place: Pointer,
    _ value: JSONValue? = nil
  ) -> Bool {
    bytes += separator(at: bytes.count)
    return bytes.appendOperation(name, place, value, within: limit)
  }

  /// Returns the comma before an operation at a position, unless the operation is the first one.
  private func separator(at start: Int) -> String.UTF8View { start > 1 ? ",".utf8 : "".utf8 }
}

extension [UInt8] {
  /// Appends one operation (RFC 6902 section 4); returns false if the text grows beyond `limit` bytes.
  fileprivate mutating func appendOperation(
    _ name: StaticString,
    _ place: Pointer,
    _ value: JSONValue?,
    within limit: Int
  ) -> Bool {
    self += "{\"op\":\"\(name)\",\"path\":".utf8
    appendLiteral(place.text)
    if let value {
      // Skips writing a value that cannot fit.
      guard count + value.nodeCount <= limit else { return false }
      self += ",\"value\":".utf8
      value.write(to: &self)
    }
    append(UInt8(ascii: "}"))
    return count <= limit
  }
}
