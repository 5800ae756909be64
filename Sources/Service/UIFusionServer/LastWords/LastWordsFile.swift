import Glibc
import UIFusionKit

/// The file in which a process that is ended by a trap leaves what it was running, for the next start to read.
///
/// Its room is taken at the start, so that the words fit on a full disk. The process that has it open holds its lock.
struct LastWordsFile {
  /// The last words of the process before.
  struct Words {
    var report: CrashReport
    var viewModels: [String]
  }

  let descriptor: Int32
  /// The last words of the process before; nil if it has left none.
  let words: Words?

  /// Opens the file, and replaces what it has by the names of view models.
  ///
  /// - Throws: ``ServiceError``, which names the file.
  init(_ path: String, _ viewModels: [String]) throws(ServiceError) {
    let flags = O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW
    let descriptor = open(path, flags, 0o600)
    guard descriptor >= 0 else { throw Self.error(path) }
    var status = stat()
    // In a folder that all users share, anyone could have made it.
    guard fstat(descriptor, &status) == 0, status.st_uid == geteuid(),
      flock(descriptor, LOCK_EX | LOCK_NB) == 0
    else {
      close(descriptor)
      throw ServiceError("\(path): another process uses it")
    }
    words = Self.read(descriptor)
    let size = MemoryLayout<CrashReport>.size
    let content =
      [UInt8](repeating: 0, count: size) + Array(viewModels.joined(separator: "\n").utf8)
    guard ftruncate(descriptor, 0) == 0,
      pwrite(descriptor, content, content.count, 0) == content.count
    else {
      defer { close(descriptor) }
      throw Self.error(path)
    }
    self.descriptor = descriptor
  }

  private static func error(_ path: String) -> ServiceError {
    ServiceError("\(path): \(String(cString: strerror(errno)))")
  }

  private static func read(_ descriptor: Int32) -> Words? {
    let size = MemoryLayout<CrashReport>.size
    var content = [UInt8](repeating: 0, count: 1 << 16)
    let count = pread(descriptor, &content, content.count, 0)
    guard count >= size else { return nil }
    var bytes = Array(content[..<size])
    // Checked before it is taken for a report: any other byte would be no value of the enum.
    let code = MemoryLayout<CrashReport>.offset(of: \.thread.note.code) ?? 0
    if RunningCode(rawValue: bytes[code]) == nil { bytes[code] = RunningCode.work.rawValue }
    let flag = MemoryLayout<CrashReport>.offset(of: \.isCounted) ?? 0
    bytes[flag] &= 1
    let report = bytes.withUnsafeBytes { $0.loadUnaligned(as: CrashReport.self) }
    guard report.mark == CrashReport.mark else { return nil }
    let names = String(decoding: content[size..<count], as: UTF8.self)
    return Words(
      report: report,
      viewModels: names.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    )
  }
}
