import FusionHTTPMessages
import Glibc

/// A file that is read as it is sent.
///
/// The file is opened for each part, so that a slow reader holds no descriptor: the process has only as many
/// as connections need. (Mapping the file instead would end the process if the file is truncated.)
struct FileOnDisk: BodySource, Equatable {
  /// The listed path; no part of it comes from a request.
  let path: String
  let mark: FileMark

  init(path: String) throws(Unreadable) {
    guard let mark = FileMark(path: path) else { throw Unreadable(path: path) }
    (self.path, self.mark) = (path, mark)
  }

  /// Creates the value for a regular file; throws for a link, a folder or anything else.
  init(regular path: String) throws(Unreadable) {
    var status = stat()
    guard unsafe lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      throw Unreadable(path: path)
    }
    try self.init(path: path)
  }

  /// Whether this process may read the file.
  var isReadable: Bool { unsafe access(path, R_OK) == 0 }

  /// Whether the file is still the one that was listed.
  var isCurrent: Bool { FileMark(path: path) == mark }

  func read(from place: Int, into buffer: UnsafeMutableRawBufferPointer) -> Int {
    // Must not wait if the path has become something other than a file.
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard descriptor >= 0 else { return 0 }
    defer { close(descriptor) }
    let count = unsafe pread(descriptor, buffer.baseAddress, buffer.count, off_t(place))
    // Compared after reading, so that no response mixes bytes of two versions.
    return FileMark(descriptor: descriptor) == mark ? max(0, count) : 0
  }

  /// Returns the whole file.
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

  /// Throws if the file is not empty, but not even one byte can be read.
  func expectReadable() throws(Unreadable) {
    guard mark.size > 0 else { return }
    var byte: UInt8 = 0
    let count = unsafe withUnsafeMutableBytes(of: &byte) { unsafe read(from: 0, into: $0) }
    if count == 0 { throw Unreadable(path: path) }
  }

  /// The error for a file that is gone, has changed, or may not be read.
  struct Unreadable: Error, CustomStringConvertible {
    let path: String

    var description: String { "\(path) cannot be read, or changes just now" }
  }
}

/// The attributes that change with a file (stat(2)).
package struct FileMark: Equatable, Sendable {
  /// The size in bytes.
  let size: Int
  /// The times of the last changes of the bytes and of the inode, the size, and the inode's number, in a
  /// fixed order.
  ///
  /// A program can set the first time back, but not the second.
  let words: [UInt64]

  /// Reads the attributes of the file at a path; returns nil if the system reports none.
  package init?(path: String) {
    var status = Glibc.stat()
    guard unsafe stat(path, &status) == 0 else { return nil }
    self.init(status)
  }

  init?(descriptor: Int32) {
    var status = Glibc.stat()
    guard unsafe fstat(descriptor, &status) == 0 else { return nil }
    self.init(status)
  }

  private init(_ status: stat) {
    size = Int(status.st_size)
    let (modified, changed) = (status.st_mtim, status.st_ctim)
    words =
      [modified.tv_sec, modified.tv_nsec, changed.tv_sec, changed.tv_nsec, size]
      .map { UInt64(bitPattern: Int64($0)) } + [UInt64(status.st_ino)]
  }
}
