/// Whether a head's lines stand in memory as they were sent, one right behind the other.
///
/// libmicrohttpd 0.9.75 tells nothing of what it does with lines that are not plain, and gets some of
/// it wrong: it appends a folded value to the field's *name*, so that no length or coding is left and
/// the body passes for the next request; it takes a line that begins with a colon for the end of the
/// head, and what follows for the next request; it cuts a value at NUL, and lines at a bare LF
/// (RFC 9112 §2.2, §5, §5.2). But it parses in place: where every field begins two bytes, CR and LF,
/// behind the one before, and the empty line ends the head, there was nothing of that.
///
/// What those two bytes were, is not to be had, as it has overwritten them: NUL and LF pass for CR and
/// LF, and a colon and LF for the empty line.
struct HeadLayout {
  /// The address at which the next line has to begin.
  private var next: UInt
  private var isGapless = true

  init(after requestLine: UnsafeBufferPointer<UInt8>) {
    next = unsafe end(of: requestLine) + 2
  }

  mutating func read(name: UnsafeBufferPointer<UInt8>, value: UnsafeBufferPointer<UInt8>) {
    let start = UInt(bitPattern: name.baseAddress)
    // Between the two stand the colon and white space.
    let isPlain = unsafe start == next && UInt(bitPattern: value.baseAddress) > end(of: name)
    isGapless = isGapless && isPlain
    next = unsafe end(of: value) + 2
  }

  /// Whether the empty line, and nothing else, lies between the last field and the head's end.
  func isWhole(endingAt end: UInt) -> Bool {
    isGapless && next + 2 == end
  }
}

private func end(of bytes: UnsafeBufferPointer<UInt8>) -> UInt {
  UInt(bitPattern: bytes.baseAddress) + UInt(bytes.count)
}
