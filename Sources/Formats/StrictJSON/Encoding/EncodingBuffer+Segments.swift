// The second pass, for types that write to several containers alternately: no place is ever closed, since
// each has its own segment until all are joined.
extension EncodingBuffer {
  /// The text of one place, without its inner places.
  struct Segment {
    var bytes: [UInt8] = []
    /// The inner places, with their positions in the text.
    var inner: [(offset: Int, place: Int)] = []
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
    misuse = nil
    isInterleaved = false
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
    var written = 0
    for inner in segment.inner {
      bytes.append(contentsOf: segment.bytes[written..<inner.offset])
      appendSegment(inner.place)
      written = inner.offset
    }
    bytes.append(contentsOf: segment.bytes[written...])
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
