import FusionStrictJSON

/// Writes the operations of one patch, as long as there is room for them.
///
/// They are applied one after another (RFC 6902 section 3), so each is written for what those before
/// it have left.
struct PatchMaker {
  private var bytes: [UInt8] = [UInt8(ascii: "[")]
  /// The closing bracket has to fit, too.
  let limit: Int

  init(limit: Int) {
    self.limit = limit - 1
  }

  func finished(within limit: Int) -> [UInt8]? {
    // No patch at all is one of two bytes.
    bytes.count < limit ? bytes + [UInt8(ascii: "]")] : nil
  }

  /// How many bytes there are.
  var count: Int { bytes.count }

  mutating func truncate(to count: Int) { bytes.removeLast(bytes.count - count) }

  /// What was written since there were so many bytes, as a patch.
  func operations(since count: Int) -> [UInt8] {
    [UInt8(ascii: "[")] + bytes[min(count + separator(at: count).count, bytes.count)...]
      + [UInt8(ascii: "]")]
  }

  /// Turns what stands at a place into what is to stand there; false where there is no room for it.
  ///
  /// After false, what was written has no meaning: the caller cuts it off, or gives up, too.
  mutating func turn(_ old: JSONValue, into new: JSONValue, at place: Pointer) -> Bool {
    guard old != new else { return true }
    guard old.kind == new.kind, new.kind == .object || new.kind == .array else {
      return append("replace", place, new)
    }
    let start = bytes.count
    let isDone =
      new.kind == .object
      ? turnMembers(of: old, into: new, at: place) : turnElements(of: old, into: new, at: place)
    if isDone, bytes.count - start <= new.nodeCount { return true }
    // The whole value may well be shorter than all that has changed in it.
    var whole: [UInt8] = []
    let room = isDone ? bytes.count - start - 1 : limit - start
    guard whole.appendOperation("replace", place, new, within: room - separator(at: start).count)
    else { return isDone }
    bytes.removeSubrange(start...)
    bytes += separator(at: start)
    bytes += whole
    return true
  }

  mutating func turnMembers(
    of old: JSONValue,
    into new: JSONValue,
    at place: Pointer
  ) -> Bool {
    for (name, value) in old.members {
      let place = place.member(name)
      guard let wanted = new[name] else {
        guard append("remove", place) else { return false }
        continue
      }
      guard turn(value, into: wanted, at: place) else { return false }
    }
    for (name, value) in new.members where old[name] == nil {
      guard append("add", place.member(name), value) else { return false }
    }
    return true
  }

  /// From the front: what is before an index is already as it shall be.
  ///
  /// The values' first elements have that index `first` in the array at the place.
  mutating func turnElements(
    of old: JSONValue,
    into new: JSONValue,
    at place: Pointer,
    from first: Int = 0
  ) -> Bool {
    let new = Array(new.elements)
    for step in Alignment(Array(old.elements), new) {
      let hasRoom =
        switch step {
        case .keep(let value, let index):
          turn(value, into: new[index], at: place.element(first + index))
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

  /// What comes before an operation that begins there.
  private func separator(at start: Int) -> String.UTF8View { start > 1 ? ",".utf8 : "".utf8 }
}

extension [UInt8] {
  /// Appends one operation (RFC 6902 section 4); false where that makes more than `limit` bytes.
  fileprivate mutating func appendOperation(
    _ name: StaticString,
    _ place: Pointer,
    _ value: JSONValue?,
    within limit: Int
  ) -> Bool {
    self += "{\"op\":\"\(name)\",\"path\":".utf8
    StrictJSON.append(place.text, to: &self)
    if let value {
      // What cannot fit is not even written.
      guard count + value.nodeCount <= limit else { return false }
      self += ",\"value\":".utf8
      value.write(to: &self)
    }
    append(UInt8(ascii: "}"))
    return count <= limit
  }
}
