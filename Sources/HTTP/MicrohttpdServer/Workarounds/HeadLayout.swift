/// Whether the header fields lie in memory as they were sent, each directly behind the one before.
///
/// Defect of 0.9.75: the library does not report lines that are not plain, and misreads some. It appends a folded
/// value to the field's *name*, so that no length or coding is left and the body passes for the next request; it takes
/// a line that begins with a colon for the end of the head; it cuts a value at NUL, and lines at a bare LF
/// (RFC 9112 §2.2, §5, §5.2). But it parses in place: if every field begins two bytes, CR and LF, behind the one
/// before, and the empty line ends the head, there was no such line.
///
/// The library has overwritten those two bytes, so NUL and LF still pass for CR and LF, and a colon and LF for the
/// empty line.
struct HeadLayout {
  /// The address at which the next line has to begin.
  private var next: UInt
  private var isGapless = true

  init(after requestLine: UnsafeBufferPointer<UInt8>) {
    next = unsafe end(of: requestLine) + 2
  }

  /// Takes the next header field into account.
  mutating func read(name: UnsafeBufferPointer<UInt8>, value: UnsafeBufferPointer<UInt8>) {
    let start = UInt(bitPattern: name.baseAddress)
    // The colon and white space separate the two.
    let isPlain = unsafe start == next && UInt(bitPattern: value.baseAddress) > end(of: name)
    isGapless = isGapless && isPlain
    next = unsafe end(of: value) + 2
  }

  /// Returns whether the empty line, and nothing else, lies between the last field and the head's end.
  func isWhole(endingAt end: UInt) -> Bool {
    isGapless && next + 2 == end
  }
}

private func end(of bytes: UnsafeBufferPointer<UInt8>) -> UInt {
  UInt(bitPattern: bytes.baseAddress) + UInt(bytes.count)
}
