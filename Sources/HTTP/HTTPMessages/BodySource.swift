/// Bytes that are read as they are sent, some at a time: those of a file that is too large to be held in
/// memory.
package protocol BodySource: Sendable {
  /// Reads bytes from a place on, into a buffer that is not empty, and returns how many; 0 where they cannot be
  /// had any more.
  ///
  /// Called on a thread of the server, which waits for it.
  func read(from place: Int, into buffer: UnsafeMutableRawBufferPointer) -> Int
}
