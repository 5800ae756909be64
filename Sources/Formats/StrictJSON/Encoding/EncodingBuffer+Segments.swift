/// The second pass for types that write to their containers in turns: no place is ever closed,
/// since each has a text of its own until all are put together.
extension EncodingBuffer {
  struct Segment {
    var bytes: [UInt8] = []
    /// The places within this one, and where in its text they belong.
    var inner: [(offset: Int, place: Int)] = []
  }

  /// Begins anew and returns what was written before the value.
  mutating func startSegments() -> [UInt8] {
    var whole: [UInt8] = []
    swap(&whole, &bytes)
    // Places in a text that is put together later are not known.
    lists = nil
    frames = []
    segments = []
    current = 0
    misuse = nil
    isInterleaved = false
    return whole
  }

  mutating func finishSegments(after prefix: [UInt8]) {
    segments?[current].bytes = bytes
    bytes = prefix
    appendSegment(0)
    segments = nil
  }

  /// Called with the outer place selected, behind whose text the new one belongs.
  mutating func addSegment(in parent: Int?) {
    if let parent { segments?[parent].inner.append((bytes.count, frames.count - 1)) }
    segments?.append(Segment())
  }

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
      // Shortened without the bracket of its values, which stands there already.
      bytes.removeLast()
      if bytes.shortenCase(from: start, count: count) { return }
      bytes.append(UInt8(ascii: "}"))
    }
    bytes.appendEnd(of: frames[index].filling)
  }
}

extension [UInt8] {
  /// A place in which nothing was encoded holds an empty object, as a type without members does.
  mutating func appendEnd(of filling: Frame.Filling) {
    switch filling {
    case .nothing: append(contentsOf: "{}".utf8)
    case .object: append(UInt8(ascii: "}"))
    case .array: append(UInt8(ascii: "]"))
    case .scalar: break
    }
  }
}
