/// JSON as it stands, in which things are found without reading all of it.
struct Bytes {
  private let bytes: ArraySlice<UInt8>

  init(_ bytes: [UInt8]) {
    self.bytes = bytes[...]
  }

  private init(_ bytes: ArraySlice<UInt8>) {
    self.bytes = bytes
  }

  /// The first version that is named, and what follows it.
  var version: (Int, rest: Bytes)? {
    guard let start = end(of: "\"version\":") else { return nil }
    let digits = bytes[start...].prefix { 48...57 ~= $0 }
    guard let version = Int(String(decoding: digits, as: UTF8.self)) else { return nil }
    return (version, Bytes(bytes[digits.endIndex...]))
  }

  /// Whether that State comes next, and then the end of a member.
  func shows(_ state: [UInt8]) -> Bool {
    let expected = Array(",\"state\":".utf8) + state
    guard bytes.starts(with: expected) else { return false }
    let next = bytes[(bytes.startIndex + expected.count)...].first
    return next == UInt8(ascii: ",") || next == UInt8(ascii: "}")
  }

  /// Whether a number of five digits stands there.
  func contains(_ number: Int) -> Bool {
    end(of: "\(number)") != nil
  }

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
