import FusionHTTPMessages
import Glibc

/// A file that is read as it is sent.
///
/// It is opened for each part: a slow reader holds no descriptor, of which the process has as many as
/// connections need. (A mapped file that is cut short would end the process.)
struct FileOnDisk: BodySource, Equatable {
  /// As it was listed; no part of it comes from a request.
  let path: String
  let mark: FileMark

  init(path: String) throws(Unreadable) {
    guard let mark = FileMark(path: path) else { throw Unreadable(path: path) }
    (self.path, self.mark) = (path, mark)
  }

  /// As with any, but neither a link nor a folder nor anything else that is no file.
  init(regular path: String) throws(Unreadable) {
    var status = stat()
    guard unsafe lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      throw Unreadable(path: path)
    }
    try self.init(path: path)
  }

  /// Whether this process may read it.
  var isReadable: Bool { unsafe access(path, R_OK) == 0 }

  /// Whether it is still the one that was listed.
  var isCurrent: Bool { FileMark(path: path) == mark }

  func read(from place: Int, into buffer: UnsafeMutableRawBufferPointer) -> Int {
    // Not waiting, where something else that is no file has taken its place.
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard descriptor >= 0 else { return 0 }
    defer { close(descriptor) }
    let count = unsafe pread(descriptor, buffer.baseAddress, buffer.count, off_t(place))
    // After it was read, so that no answer has bytes of two versions.
    return FileMark(descriptor: descriptor) == mark ? max(0, count) : 0
  }

  /// All of it.
  ///
  /// - Throws: ``Unreadable``.
  func bytes() throws(Unreadable) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: mark.size)
    var count = 0
    while count < bytes.count {
      let read = unsafe bytes.withUnsafeMutableBytes { buffer in
        unsafe self.read(
          from: count,
          into: UnsafeMutableRawBufferPointer(rebasing: buffer[count...])
        )
      }
      guard read > 0 else { throw Unreadable(path: path) }
      count += read
    }
    return bytes
  }

  /// - Throws: ``Unreadable`` where it has bytes, and not even one can be had.
  func expectReadable() throws(Unreadable) {
    guard mark.size > 0 else { return }
    var byte: UInt8 = 0
    let count = unsafe withUnsafeMutableBytes(of: &byte) { unsafe read(from: 0, into: $0) }
    if count == 0 { throw Unreadable(path: path) }
  }

  /// It is not there any more, has changed meanwhile, or may not be read.
  struct Unreadable: Error, CustomStringConvertible {
    let path: String

    var description: String { "\(path) cannot be read, or changes just now" }
  }
}
