/// A member's name, and whether its key is free: no case of an enum, such as a dictionary's key.
struct MemberKey {
  let name: String
  let isFree: Bool
}

// As `JSONEncoder` does, an object has each name once, with the value that was written last. Free names are in
// the order of their bytes: most are a dictionary's, whose own order differs from one process to another.
extension EncodingBuffer {
  /// Notes the name at the end of the text; `start` is the position of its opening quote.
  mutating func note(_ key: MemberKey, at start: Int, in object: Int) {
    guard segments == nil else {
      segments?[object].members.append(
        Segment.Member(start: start, nameEnd: bytes.count, isFree: key.isFree)
      )
      return
    }
    if key.isFree, let last = frames[object].lastFreeName, !isAscending(from: last, to: start) {
      isOutOfOrder = true
    }
    let bit = hash(of: start)
    // Free names that ascend need no comparison with each other.
    if !key.isFree || frames[object].hasFixedName, frames[object].hashes & bit != 0,
      isRepeated(start, since: frames[object].firstName)
    {
      isOutOfOrder = true
    }
    if key.isFree {
      frames[object].lastFreeName = start
    } else {
      frames[object].hasFixedName = true
    }
    frames[object].hashes |= bit
    names.append(start)
  }

  /// Forgets the names of members that are removed.
  mutating func forgetNames(of container: Int, since savepoint: Savepoint) {
    frames[container].lastFreeName = savepoint.lastFreeName
    while let last = names.last, last >= savepoint.bytes { names.removeLast() }
    if let count = segments?[container].members.count, count > savepoint.count {
      segments?[container].members.removeLast(count - savepoint.count)
    }
  }

  /// Returns the open container of an earlier member with this name, to which more is added; nil if there is
  /// none.
  mutating func container(
    _ name: String,
    of object: Place,
    as content: Frame.Content
  ) -> Place? {
    guard segments != nil, enter(object), let segment = segments?[object.index] else { return nil }
    var literal: [UInt8] = []
    literal.appendLiteral(name)
    guard
      let member = segment.members.last(where: { bytes[$0.name].elementsEqual(literal) }),
      let inner = segment.inner.first(where: { $0.offset == member.nameEnd + 1 }),
      frames[inner.place].content == content
    else { return nil }
    return Place(writer: object.writer, index: inner.place, serial: frames[inner.place].serial)
  }

  private func isAscending(from last: Int, to start: Int) -> Bool {
    let end = bytes.indexAfterString(at: last) - 1
    return bytes[last + 1..<end].lexicographicallyPrecedes(bytes[start + 1..<bytes.count - 1])
  }

  /// Returns whether an earlier name of the object equals the one at the end of the text.
  private func isRepeated(_ start: Int, since first: Int) -> Bool {
    let length = bytes.count - start
    return names[first...].contains {
      $0 + length <= start && bytes[$0..<$0 + length].elementsEqual(bytes[start...])
    }
  }

  /// Returns one of 64 bits for the name at the end of the text.
  private func hash(of start: Int) -> UInt64 {
    let length = bytes.count - start
    let middle = Int(bytes[start + length / 2])
    let sum =
      length &* 31 &+ Int(bytes[start + 1]) &+ middle &* 17 &+ Int(bytes[bytes.count - 2]) &* 5
    return 1 << UInt64(sum & 63)
  }
}
