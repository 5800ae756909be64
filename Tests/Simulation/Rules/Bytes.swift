/// JSON text that is searched without parsing it.
struct Bytes {
  private let bytes: ArraySlice<UInt8>

  init(_ bytes: [UInt8]) {
    self.bytes = bytes[...]
  }

  private init(_ bytes: ArraySlice<UInt8>) {
    self.bytes = bytes
  }

  /// The first version in the text, and the text after it.
  var version: (Int, rest: Bytes)? {
    guard let start = end(of: "\"version\":") else { return nil }
    let digits = bytes[start...].prefix { 48...57 ~= $0 }
    guard let version = Int(String(decoding: digits, as: UTF8.self)) else { return nil }
    return (version, Bytes(bytes[digits.endIndex...]))
  }

  /// Whether the text starts with a State, followed by the end of a member.
  func shows(_ state: [UInt8]) -> Bool {
    let expected = Array(",\"state\":".utf8) + state
    guard bytes.starts(with: expected) else { return false }
    let next = bytes[(bytes.startIndex + expected.count)...].first
    return next == UInt8(ascii: ",") || next == UInt8(ascii: "}")
  }

  /// Whether the text contains a number of five digits.
  func contains(_ number: Int) -> Bool {
    end(of: "\(number)") != nil
  }

  /// All numbers of five digits, as Inputs have them.
  var numbers: [Int] {
    var numbers: [Int] = []
    var (value, count) = (0, 0)
    bytes.withUnsafeBufferPointer { bytes in
      for byte in bytes {
        if 48...57 ~= byte {
          value = value &* 10 &+ Int(byte &- 48)
          count += 1
        } else {
          if count == 5 { numbers.append(value) }
          (value, count) = (0, 0)
        }
      }
    }
    return count == 5 ? numbers + [value] : numbers
  }

  /// The count of the first Pulse; nil if there is none.
  var pulses: Int? {
    end(of: "\"pulse\":").flatMap { start in
      Int(String(decoding: bytes[start...].prefix { 48...57 ~= $0 }, as: UTF8.self))
    }
  }

  /// Whether an answer reports its Inputs or its session as settled; nil if it reports neither.
  var isSettled: Bool? {
    if end(of: "\"settled\":true") != nil { return true }
    return end(of: "\"settled\":false") == nil ? nil : false
  }

  /// Whether a State has the member added in format 2 of a ``Book``.
  var hasCount: Bool { end(of: "\"count\":") != nil }

  private func end(of text: String) -> Int? {
    let needle = Array(text.utf8)
    let found: Int? = bytes.withUnsafeBufferPointer { bytes in
      var start = 0
      while start + needle.count <= bytes.count {
        var length = 0
        while length < needle.count, bytes[start + length] == needle[length] { length += 1 }
        if length == needle.count { return start + length }
        start += 1
      }
      return nil
    }
    return found.map { $0 + bytes.startIndex }
  }
}
