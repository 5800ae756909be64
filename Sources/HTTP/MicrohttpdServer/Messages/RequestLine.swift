import Glibc

/// A request's first line, as the library gives it to the access handler, valid during its first call.
@safe struct RequestLine {
  let url: UnsafeBufferPointer<UInt8>
  let method: UnsafeBufferPointer<UInt8>
  let version: UnsafeBufferPointer<UInt8>
  /// How long the target was on the wire: the version stands right behind it.
  let targetLength: Int
  /// Whether the method ends where the library says, at a space: it takes NUL for an end, too.
  let hasWholeMethod: Bool
}

/// Whether a target begins behind a method and spaces alone, the first of which the library has made
/// the method's end.
private func isBehind(
  _ method: UnsafeBufferPointer<UInt8>,
  _ target: UnsafePointer<CChar>?
) -> Bool {
  guard let start = method.baseAddress, let target = unsafe target else { return false }
  let gap = Int(bitPattern: target) - Int(bitPattern: start) - method.count
  guard gap > 1 else { return gap == 1 }
  let spaces = unsafe UnsafeBufferPointer(start: start + method.count + 1, count: gap - 1)
  return unsafe spaces.allSatisfy { $0 == UInt8(ascii: " ") }
}

extension RequestLine {
  init(
    _ url: UnsafePointer<CChar>?,
    _ method: UnsafePointer<CChar>?,
    _ version: UnsafePointer<CChar>?
  ) {
    unsafe self.url = bytes(url, url.map { unsafe strlen($0) } ?? 0)
    unsafe self.method = bytes(method, method.map { unsafe strlen($0) } ?? 0)
    unsafe self.version = bytes(version, version.map { unsafe strlen($0) } ?? 0)
    targetLength = Int(bitPattern: version) - Int(bitPattern: url) - 1
    hasWholeMethod = unsafe isBehind(self.method, url)
  }
}
