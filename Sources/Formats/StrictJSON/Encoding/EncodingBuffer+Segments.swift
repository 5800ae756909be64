// The second pass, for types that write to several containers alternately, repeat a name, or write free names
// in any order: no place is ever closed, since each has its own segment until all are joined.
extension EncodingBuffer {
  /// The text of one place, without its inner places.
  struct Segment {
    var bytes: [UInt8] = []
    /// The inner places, with their positions in the text.
    var inner: [(offset: Int, place: Int)] = []
    /// An object's members.
    var members: [Member] = []
    /// The elements that have no order of their own: a range of `inner`, and how many belong together.
    var unordered: (range: Range<Int>, stride: Int)?

    /// A member's positions in the text.
    struct Member {
      /// The position of the name's opening quote.
      let start: Int
      let nameEnd: Int
      let isFree: Bool

      var name: Range<Int> { start..<nameEnd }
    }
  }

  /// Starts the second pass; returns the text before the value.
  mutating func startSegments() -> [UInt8] {
    var whole: [UInt8] = []
    swap(&whole, &bytes)
    // Positions in the joined text are not known yet.
    lists = nil
    frames = []
    segments = []
    current = 0
    names = []
    misuse = nil
    isOutOfOrder = false
    return whole
  }

  /// Joins the segments after the text before the value.
  mutating func finishSegments(after prefix: [UInt8]) {
    segments?[current].bytes = bytes
    bytes = prefix
    appendSegment(0)
    segments = nil
  }

  /// Adds the segment of the newest place; the enclosing place must be selected.
  mutating func addSegment(in parent: Int?) {
    if let parent { segments?[parent].inner.append((bytes.count, frames.count - 1)) }
    segments?.append(Segment())
  }

  /// Makes a place's segment the buffer's text.
  mutating func select(_ index: Int) {
    guard index != current, var all = segments.take() else { return }
    swap(&all[current].bytes, &bytes)
    swap(&all[index].bytes, &bytes)
    current = index
    segments = all
  }

  private mutating func appendSegment(_ index: Int) {
    guard let segment = segments?[index] else { return }
    let start = bytes.count
    if !segment.members.isEmpty {
      appendMembers(of: segment)
    } else if let unordered = segment.unordered {
      appendUnordered(unordered, of: segment)
    } else {
      append(segment, 0..<segment.bytes.count, segment.inner[...])
    }
    if frames[index].isCase, segment.inner.count == 1, let values = segment.inner.first?.place,
      let count = valuesOfCase(at: index, values)
    {
      // Shortening expects the object of values without its closing bracket.
      bytes.removeLast()
      if bytes.shortenCase(from: start, count: count) { return }
      bytes.append(UInt8(ascii: "}"))
    }
    bytes.appendEnd(of: frames[index].content)
  }
}

extension EncodingBuffer {
  /// Appends a part of a segment's text, with the inner places in it.
  private mutating func append(
    _ segment: Segment,
    _ range: Range<Int>,
    _ inner: ArraySlice<(offset: Int, place: Int)>
  ) {
    var written = range.lowerBound
    for inner in inner {
      bytes.append(contentsOf: segment.bytes[written..<inner.offset])
      appendSegment(inner.place)
      written = inner.offset
    }
    bytes.append(contentsOf: segment.bytes[written..<range.upperBound])
  }

  /// Appends an object's members: the last of each name, and the free names in the order of their bytes.
  private mutating func appendMembers(of segment: Segment) {
    let members = segment.members
    var last: [ArraySlice<UInt8>: Int] = [:]
    for index in members.indices { last[segment.bytes[members[index].name]] = index }
    var kept = members.indices.filter { last[segment.bytes[members[$0].name]] == $0 }
    let places = kept.indices.filter { members[kept[$0]].isFree }
    let free = places.map { kept[$0] }.sorted {
      // Without the quotes, so that a name precedes the longer ones that begin with it.
      segment.bytes[members[$0].name.dropFirst().dropLast()].lexicographicallyPrecedes(
        segment.bytes[members[$1].name.dropFirst().dropLast()]
      )
    }
    for (place, index) in zip(places, free) { kept[place] = index }
    // A member has at most one inner place: its value.
    var rest = segment.inner[...]
    let parts = members.indices.map { index in
      let end = index + 1 < members.count ? members[index + 1].start - 1 : segment.bytes.count
      let value = rest.prefix { $0.offset <= end }
      rest = rest.dropFirst(value.count)
      return (range: members[index].start..<end, value: value)
    }
    bytes.append(UInt8(ascii: "{"))
    for (position, index) in kept.enumerated() {
      if position > 0 { bytes.append(UInt8(ascii: ",")) }
      append(segment, parts[index].range, parts[index].value)
    }
  }

  /// Appends an array's elements, some of which have no order of their own.
  private mutating func appendUnordered(
    _ unordered: (range: Range<Int>, stride: Int),
    of segment: Segment
  ) {
    let inner = segment.inner[unordered.range]
    guard let first = inner.first, let last = inner.last else {
      return append(segment, 0..<segment.bytes.count, segment.inner[...])
    }
    append(segment, 0..<first.offset, segment.inner[..<unordered.range.lowerBound])
    let start = bytes.count
    var starts: [Int] = []
    for inner in inner {
      if !starts.isEmpty { bytes.append(UInt8(ascii: ",")) }
      starts.append(bytes.count)
      appendSegment(inner.place)
    }
    sortElements(from: start, starts, stride: unordered.stride)
    let rest = last.offset..<segment.bytes.count
    append(segment, rest, segment.inner[unordered.range.upperBound...])
  }
}

extension [UInt8] {
  /// Appends the closing bracket of a place; an empty place becomes `{}`, as for a type without members.
  mutating func appendEnd(of content: Frame.Content) {
    switch content {
    case .none: append(contentsOf: "{}".utf8)
    case .object: append(UInt8(ascii: "}"))
    case .array: append(UInt8(ascii: "]"))
    case .scalar: break
    }
  }
}
