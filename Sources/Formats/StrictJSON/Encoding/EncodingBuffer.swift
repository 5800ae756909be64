/// The text of one value while it is written, with a stack of the open containers.
///
/// Most types write one container after another and return only to the enclosing ones. For them one buffer is
/// enough: writing to a place closes everything deeper, and no tree is built. But Codable lets a type return
/// to a container after writing to its sibling. Such a write finds its place closed; then the value is
/// encoded again, with a segment for each container (`EncodingBuffer+Segments`). So is a value that repeats a
/// name or writes free names in another order than that of their bytes (`EncodingBuffer+Names`).
///
/// A struct, so that the writer's class checks for exclusive access once for each call.
struct EncodingBuffer {
  /// The maximum nesting depth, equal to the parser's.
  static let maximalDepth = JSONParser.maximalDepth

  var bytes: [UInt8]
  var frames: [Frame] = []
  var segments: [Segment]?
  var current = 0
  /// The positions of the names in all open objects, the innermost object's last.
  var names: [Int] = []
  private var lastSerial = 0
  /// Whether the text is wrong: a write reached a closed place, or a name is repeated or out of order.
  var isOutOfOrder = false
  /// The reason why the text is not JSON: two values in one place, or nesting too deep.
  var misuse: EncodingError? {
    didSet { isMisused = misuse != nil }
  }
  /// Whether a ``misuse`` occurred: a flag, because it is checked for each value.
  private(set) var isMisused = false
  /// The copier of unchanged list elements; nil if lists are not copied.
  var lists: ListCopier?

  init(after bytes: [UInt8], lists: ListCopier? = nil) {
    self.bytes = bytes
    self.lists = lists
    frames.reserveCapacity(4)
  }

  /// Removes the text after the first `count` bytes.
  mutating func truncate(to count: Int) {
    bytes.removeLast(bytes.count - count)
    lists?.forget(from: count)
  }

  /// Opens a place on top of the stack.
  @inline(__always)
  mutating func push(
    _ label: Frame.Label,
    in parent: Int?,
    isNested: Bool
  ) -> (index: Int, serial: Int) {
    lastSerial += 1
    let depth = parent.map { frames[$0].depth + 1 } ?? 0
    frames.append(
      Frame(
        serial: lastSerial,
        parent: parent,
        depth: depth,
        label: label,
        isNested: isNested,
        firstName: names.count
      )
    )
    if segments != nil { addSegment(in: parent) }
    return (frames.count - 1, lastSerial)
  }

  /// Makes the place's text the end of the buffer; returns false if the place is closed.
  mutating func enter(_ place: Place) -> Bool {
    guard place.index < frames.count, frames[place.index].serial == place.serial else {
      if segments == nil {
        isOutOfOrder = true
      } else {
        let reason = "a container of an earlier encoding"
        misuse = misuse ?? .invalid(reason, reason, at: [])
      }
      return false
    }
    if segments == nil {
      close(downTo: place.index + 1)
    } else {
      select(place.index)
    }
    return true
  }

  /// Opens the object or array of a place, or returns to its open one.
  mutating func open(_ content: Frame.Content, at place: Place) {
    guard enter(place) else { return }
    let found = frames[place.index].content
    guard found != content else { return }
    guard found == .none else { return refuse(place, "two values in one place") }
    guard frames[place.index].depth < Self.maximalDepth else {
      return refuse(place, "nested deeper than \(Self.maximalDepth) levels")
    }
    frames[place.index].content = content
    bytes.append(content == .object ? UInt8(ascii: "{") : UInt8(ascii: "["))
  }

  /// Writes a scalar; returns false if the place cannot take one.
  mutating func writeScalar(at place: Place, _ append: (inout [UInt8]) -> Void) -> Bool {
    guard enter(place) else { return false }
    guard frames[place.index].content == .none else {
      refuse(place, "two values in one place")
      return false
    }
    frames[place.index].content = .scalar
    append(&bytes)
    return true
  }

  /// Writes a scalar member; returns false if the object is closed.
  mutating func writeMember(
    _ name: MemberKey,
    of object: Place,
    _ append: (inout [UInt8]) -> Void
  ) -> Bool {
    guard beginMember(name, of: object) != nil else { return false }
    append(&bytes)
    return true
  }

  /// Writes a member's name and colon; returns nil if the object is closed.
  mutating func beginMember(_ key: MemberKey, of object: Place) -> Savepoint? {
    guard let savepoint = beginElement(of: object) else { return nil }
    let start = bytes.count
    bytes.appendLiteral(key.name)
    note(key, at: start, in: object.index)
    bytes.append(UInt8(ascii: ":"))
    return savepoint
  }

  /// Writes the comma before an element or member; returns nil if the container is closed.
  mutating func beginElement(of array: Place) -> Savepoint? {
    guard enter(array) else { return nil }
    let savepoint = Savepoint(
      bytes: bytes.count,
      count: frames[array.index].count,
      segments: segments?[array.index].inner.count ?? 0,
      lastFreeName: frames[array.index].lastFreeName
    )
    if savepoint.count > 0 { bytes.append(UInt8(ascii: ",")) }
    frames[array.index].count = savepoint.count + 1
    return savepoint
  }

  /// Returns whether a place is still empty.
  mutating func isUntouched(_ place: Place) -> Bool {
    enter(place) && frames[place.index].content == .none
  }

  /// Sets the index of the next element of an array whose elements were all taken.
  mutating func skip(to index: Int, of array: Place) {
    guard enter(array) else { return }
    frames[array.index].count = index
  }

  /// Removes all elements from an array's text, the first of which is at `start`, and returns their text; nil
  /// if the array is closed.
  mutating func take(from start: Int, of array: Place) -> [UInt8]? {
    guard enter(array) else { return nil }
    let taken = Array(bytes[start...])
    // If elements were skipped, a comma precedes.
    let hasComma = bytes[start - 1] == UInt8(ascii: ",")
    bytes.removeLast(taken.count + (hasComma ? 1 : 0))
    return taken
  }

  /// Closes an array whose elements were all taken, and returns the position between its brackets; nil if it
  /// is already closed.
  mutating func closeEmpty(_ array: Place) -> Int? {
    guard enter(array) else { return nil }
    frames[array.index].content = .scalar
    bytes.append(UInt8(ascii: "]"))
    return bytes.count - 1
  }

  /// Removes a member or an element whose encoding threw, since the type may continue without it.
  mutating func rollBack(_ container: Place, to savepoint: Savepoint) {
    guard enter(container) else { return }
    truncate(to: savepoint.bytes)
    frames[container.index].count = savepoint.count
    forgetNames(of: container.index, since: savepoint)
    segments?[container.index].inner.removeSubrange(savepoint.segments...)
  }

  /// Returns the number of members or elements so far.
  mutating func count(of place: Place) -> Int {
    enter(place) ? frames[place.index].count : 0
  }

  /// Closes the places above the first `count`.
  @inline(__always)
  mutating func close(downTo count: Int) {
    while frames.count > count {
      let frame = frames.removeLast()
      bytes.appendEnd(of: frame.content)
      if names.count > frame.firstName { names.removeLast(names.count - frame.firstName) }
    }
  }

  mutating func refuse(_ place: Place, _ reason: String) {
    misuse = misuse ?? .invalid(reason, reason, at: path(of: place.index))
  }
}

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
