/// The layout of a request line in memory, which reveals words that the library has cut short.
///
/// Defect of 0.9.75: the library passes method and target as C strings, so that a NUL ends them:
/// `/app.js\0.html` arrives as `/app.js`. The library parses in place, so the distances between the words
/// tell.
struct RequestLineLayout {
  /// The number of bytes from the target's start to the space before the version.
  let targetLength: Int
  /// Whether only spaces separate the method from the target.
  let hasWholeMethod: Bool

  init(
    method: UnsafeBufferPointer<UInt8>,
    target: UnsafePointer<CChar>?,
    version: UnsafePointer<CChar>?
  ) {
    targetLength = Int(bitPattern: version) - Int(bitPattern: target) - 1
    hasWholeMethod = unsafe isFollowed(method, by: target)
  }
}

/// Returns whether only a method and spaces precede a target; the library has overwritten the first space.
private func isFollowed(
  _ method: UnsafeBufferPointer<UInt8>,
  by target: UnsafePointer<CChar>?
) -> Bool {
  guard let start = method.baseAddress, let target = unsafe target else { return false }
  let gap = Int(bitPattern: target) - Int(bitPattern: start) - method.count
  guard gap > 1 else { return gap == 1 }
  let spaces = unsafe UnsafeBufferPointer(start: start + method.count + 1, count: gap - 1)
  return unsafe spaces.allSatisfy { $0 == UInt8(ascii: " ") }
}
