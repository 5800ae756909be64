/// A compact JSON text in which values are skipped without parsing.
///
/// The text must be valid and without spaces. For any other text the results are meaningless, but no read
/// goes beyond its end.
struct TextScanner {
  // Guard: the scanner's creator keeps the bytes alive longer than the scanner.
  let bytes: UnsafeRawBufferPointer

  var count: Int { bytes.count }

  /// A part of the text, as a text of its own.
  subscript(range: Range<Int>) -> TextScanner {
    TextScanner(bytes: UnsafeRawBufferPointer(rebasing: bytes[range]))
  }

  /// Returns whether a comma stands at an index.
  func isComma(at index: Int) -> Bool { index < count && bytes[index] == UInt8(ascii: ",") }

  /// Returns the index after a member or element; `start` itself if the container ends there.
  func indexAfterChild(at start: Int, isMember: Bool) -> Int {
    guard isMember, start < count, bytes[start] == UInt8(ascii: "\"") else {
      return indexAfterValue(at: start)
    }
    return indexAfterValue(at: min(indexAfterString(at: start) + 1, count))
  }

  /// Returns the index after a value; `start` itself if its container ends there.
  func indexAfterValue(at start: Int) -> Int {
    var (index, depth) = (start, 0)
    while index < count {
      switch bytes[index] {
      case UInt8(ascii: "\""):
        index = indexAfterString(at: index)
        if depth == 0 { return index }
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        depth += 1
        index += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        if depth == 0 { return index }
        depth -= 1
        index += 1
        if depth == 0 { return index }
      case UInt8(ascii: ",") where depth == 0: return index
      default: index += 1
      }
    }
    return index
  }

  /// Returns the index after the string whose opening quotation mark is at `start`.
  func indexAfterString(at start: Int) -> Int {
    var index = start + 1
    while index < count {
      if index + 8 <= count {
        let ends = word(at: index).endsOfString
        index += ends == 0 ? 8 : ends.trailingZeroBitCount / 8
        if ends == 0 { continue }
      }
      switch bytes[index] {
      case UInt8(ascii: "\""): return index + 1
      case UInt8(ascii: "\\"): index += 2
      default: index += 1
      }
    }
    return count
  }

  // MARK: Comparing texts

  /// Returns the length of the common prefix of both texts in bytes.
  func commonPrefix(with other: TextScanner) -> Int {
    let limit = min(count, other.count)
    var index = 0
    while index + 8 <= limit, word(at: index) == other.word(at: index) { index += 8 }
    while index < limit, bytes[index] == other.bytes[index] { index += 1 }
    return index
  }

  /// Returns the length of the common suffix of both texts in bytes, at most `limit`.
  func commonSuffix(with other: TextScanner, limit: Int) -> Int {
    var length = 0
    while length + 8 <= limit,
      word(at: count - length - 8) == other.word(at: other.count - length - 8)
    { length += 8 }
    while length < limit, bytes[count - length - 1] == other.bytes[other.count - length - 1] {
      length += 1
    }
    return length
  }

  private func word(at index: Int) -> UInt64 {
    // Guard: each caller checks that eight bytes follow. The first byte becomes the lowest.
    UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self))
  }
}

extension UInt64 {
  /// A word in which each byte that is a quotation mark or a backslash has its highest bit set.
  ///
  /// A borrow may set the bit of a later byte, too.
  fileprivate var endsOfString: UInt64 {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let quote = self ^ ones &* UInt64(UInt8(ascii: "\""))
    let backslash = self ^ ones &* UInt64(UInt8(ascii: "\\"))
    return ((quote &- ones) & ~quote | (backslash &- ones) & ~backslash) & (ones &* 0x80)
  }
}
