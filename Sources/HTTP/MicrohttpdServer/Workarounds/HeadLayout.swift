/// A check that the header fields lie in memory as they were sent, each directly after the previous one.
///
/// Defect of 0.9.75: the library does not report irregular lines, and misreads some. It appends a folded
/// value to the field's *name*, so that a length or coding is lost and the body is taken for the next
/// request; it takes a line that begins with a colon for the end of the head; it cuts a value at NUL, and
/// lines at a bare LF (RFC 9112 §2.2, §5, §5.2). But it parses in place: if every field begins two bytes, CR
/// and LF, after the previous one, and the empty line ends the head, there was no such line.
///
/// The library has overwritten those two bytes, so NUL and LF are still accepted as CR and LF, and a colon
/// and LF as the empty line.
struct HeadLayout {
  /// The address at which the next line must begin.
  private var next: UInt
  private var isGapless = true

  init(after requestLine: UnsafeBufferPointer<UInt8>) {
    next = unsafe end(of: requestLine) + 2
  }

  /// Takes the next header field into account.
  mutating func read(name: UnsafeBufferPointer<UInt8>, value: UnsafeBufferPointer<UInt8>) {
    let start = UInt(bitPattern: name.baseAddress)
    // A colon and white space are between name and value.
    let isPlain = unsafe start == next && UInt(bitPattern: value.baseAddress) > end(of: name)
    isGapless = isGapless && isPlain
    next = unsafe end(of: value) + 2
  }

  /// Returns whether only the empty line lies between the last field and the head's end.
  func isWhole(endingAt end: UInt) -> Bool {
    isGapless && next + 2 == end
  }
}

private func end(of bytes: UnsafeBufferPointer<UInt8>) -> UInt {
  UInt(bitPattern: bytes.baseAddress) + UInt(bytes.count)
}
