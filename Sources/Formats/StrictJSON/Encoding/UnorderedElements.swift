/// A collection without an order of its own, whose elements are written in the order of their JSON's bytes: a
/// `Set`, or a dictionary whose keys have no names.
///
/// Recognized by its static type, like all special forms: a set that a type encodes directly
/// (`try set.encode(to: encoder)`) has its hash order, which differs from one process to another.
protocol UnorderedElements {
  /// The number of elements that belong together: a key and its value.
  static var stride: Int { get }

  /// Encodes the elements, calling `begin` before each.
  func encode(to array: UnkeyedPlaceEncoder, begin: () -> Void) throws
}

extension Set: UnorderedElements where Element: Encodable {
  static var stride: Int { 1 }

  func encode(to array: UnkeyedPlaceEncoder, begin: () -> Void) throws {
    for element in self {
      begin()
      try array.encode(element)
    }
  }
}

extension Dictionary: UnorderedElements where Key: Encodable, Value: Encodable {
  static var stride: Int { 2 }

  func encode(to array: UnkeyedPlaceEncoder, begin: () -> Void) throws {
    for (key, value) in self {
      begin()
      try array.encode(key)
      begin()
      try array.encode(value)
    }
  }
}

extension UnorderedElements {
  func encodeSorted(to place: Place) throws {
    let writer = place.writer
    writer.buffer.open(.array, at: place)
    // The positions of lists in pieces would change.
    let lists = writer.buffer.lists.take()
    defer { writer.buffer.lists = lists }
    let inner = writer.buffer.segments?[place.index].inner.count ?? 0
    var starts: [Int] = []
    try encode(to: UnkeyedPlaceEncoder(array: place)) {
      starts.append(writer.buffer.nextElement(of: place))
    }
    guard let start = starts.first, writer.buffer.enter(place) else { return }
    if let count = writer.buffer.segments?[place.index].inner.count {
      writer.buffer.segments?[place.index].unordered = (inner..<count, Self.stride)
    } else if !writer.buffer.isOutOfOrder {
      writer.buffer.sortElements(from: start, starts, stride: Self.stride)
    }
  }
}

extension EncodingBuffer {
  /// Returns the position of an array's next element, after a comma unless it is the first.
  mutating func nextElement(of array: Place) -> Int {
    // Counting closes the previous element, so it must come first.
    let comma = count(of: array) > 0 ? 1 : 0
    return bytes.count + comma
  }

  /// Sorts the elements at the end of the text, where `stride` elements belong together.
  ///
  /// Equal elements of a set become one. Two keys with the same text could not be read back: this is misuse.
  mutating func sortElements(from start: Int, _ starts: [Int], stride: Int) {
    let text = Array(bytes[start...])
    let ends = starts.dropFirst().map { $0 - 1 } + [bytes.count]
    var groups = Swift.stride(from: 0, to: starts.count, by: stride).map { index in
      let key = starts[index] - start..<ends[index] - start
      return (key: key, whole: key.lowerBound..<ends[index + stride - 1] - start)
    }
    text.withUnsafeBufferPointer { text in
      // Guard: slicing checks the ranges, and the pointers do not leave this closure.
      groups.sort {
        UnsafeBufferPointer(rebasing: text[$0.key])
          .lexicographicallyPrecedes(UnsafeBufferPointer(rebasing: text[$1.key]))
      }
    }
    bytes.removeLast(text.count)
    var last: ArraySlice<UInt8>?
    for group in groups {
      if text[group.key] == last {
        guard stride > 1 else { continue }
        let key = String(decoding: text[group.key], as: UTF8.self)
        misuse = misuse ?? .invalid(key, "two keys are both written as \(key)", at: [])
      }
      if last != nil { bytes.append(UInt8(ascii: ",")) }
      bytes.append(contentsOf: text[group.whole])
      last = text[group.key]
    }
  }
}
