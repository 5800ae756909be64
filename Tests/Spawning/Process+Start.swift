package import Foundation
import Glibc
import Synchronization

extension Process {
  private static let starting = Mutex(())
  /// The most descriptors with which a process is started.
  ///
  /// Foundation's `run()` (6.3) copies each entry of /proc/self/fd at the full size of `dirent`: where a listing fills its
  /// buffer of 32 KB, by entries of 24 bytes, that reads behind it, and may end with SIGSEGV.
  private static let mostDescriptors = 1_200

  /// Runs the process; one at a time is started, and none while other tests have very many descriptors open.
  package func start() throws {
    try Self.starting.withLock { _ in
      for _ in 0..<400 where Self.openDescriptors > Self.mostDescriptors { usleep(50_000) }
      try run()
    }
  }

  private static var openDescriptors: Int {
    guard let folder = opendir("/proc/self/fd") else { return 0 }
    defer { closedir(folder) }
    var count = 0
    while readdir(folder) != nil { count += 1 }
    return count
  }
}
