import Glibc

/// What changes when a file does (stat(2)).
struct FileMark: Equatable, Sendable {
  /// In bytes.
  let size: Int
  let number: UInt64
  private let modified: Time
  /// Of what the system knows about the file: whoever sets `modified` back cannot set this.
  private let changed: Time

  private struct Time: Equatable {
    let seconds: Int
    let nanoseconds: Int

    init(_ time: timespec) {
      (seconds, nanoseconds) = (time.tv_sec, time.tv_nsec)
    }
  }

  /// Of the file at a path; nil where the system does not tell.
  init?(path: String) {
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
    number = UInt64(status.st_ino)
    modified = Time(status.st_mtim)
    changed = Time(status.st_ctim)
  }

  /// All of it, in an order.
  var words: [UInt64] {
    [modified.seconds, modified.nanoseconds, changed.seconds, changed.nanoseconds, size]
      .map { UInt64(bitPattern: Int64($0)) } + [number]
  }
}
