/// Keeps the library from parsing a query.
///
/// Defect of 0.9.75: the library stores each argument of the query in the connection's memory, and closes the
/// connection without an answer when that is full, after about 115 arguments.
enum HiddenQuery {
  /// Cuts the target after the question mark.
  ///
  /// Must be called from the URI log callback: by then the library has found the mark, and it parses the rest
  /// as a C string, which is now empty.
  static func cut(_ target: UnsafeBufferPointer<UInt8>) {
    guard let mark = unsafe target.firstIndex(of: UInt8(ascii: "?")), mark + 1 < target.count else {
      return
    }
    // Guard: the memory is the library's own, which it changes in the same way on the same thread.
    unsafe UnsafeMutableBufferPointer(mutating: target)[mark + 1] = 0
  }
}
