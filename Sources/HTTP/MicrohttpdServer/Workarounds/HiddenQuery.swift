/// Keeps the library from parsing a query.
///
/// Defect of 0.9.75: the library stores each argument of the query in the connection's memory, and closes the
/// connection without an answer once that is full, at some 115 arguments.
enum HiddenQuery {
  /// Cuts the target behind the question mark.
  ///
  /// To be called from the URI log callback: the library has found the mark by then, and parses what follows as a
  /// C string, which is empty now.
  static func cut(_ target: UnsafeBufferPointer<UInt8>) {
    guard let mark = unsafe target.firstIndex(of: UInt8(ascii: "?")), mark + 1 < target.count else {
      return
    }
    // Guard: the library's own memory, which the library changes in the same way, on this very thread.
    unsafe UnsafeMutableBufferPointer(mutating: target)[mark + 1] = 0
  }
}
