import Foundation
import FusionSQLiteSessions
import FusionSessions
import Glibc
import Testing

/// A disk of 2 MB, which root can create if mounting is allowed.
private struct SmallDisk: ~Copyable {
  let path: String

  init?() {
    var template = Array("/tmp/uifusion-disk-XXXXXX".utf8CString)
    guard let path = mkdtemp(&template).map({ String(cString: $0) }) else { return nil }
    guard mount("none", path, "tmpfs", 0, "size=2m") == 0 else {
      rmdir(path)
      return nil
    }
    self.path = path
  }

  deinit {
    umount2(path, Int32(MNT_DETACH))
    rmdir(path)
  }

  static var canBe: Bool { SmallDisk() != nil }
}

@Suite struct `A full disk` {
  @Test(.enabled(if: SmallDisk.canBe, "mounting a small disk is not permitted"))
  func `is reported, loses nothing, and is used again once there is space`() async throws {
    guard let disk = SmallDisk() else { return }
    let folder = disk.path + "/data"
    let ballast = disk.path + "/ballast"
    #expect(FileManager.default.createFile(atPath: ballast, contents: Data(count: 900_000)))
    var store = try SQLiteSessionStore(folder: folder)
    try store.perform(.create(.new(1)))
    let stored = try fill(store)
    #expect(stored > 10)
    #expect(try await store.load(.number(1))?.sequence == stored)
    #expect(throws: StoreError.full) { try store.perform(.probe) }
    try FileManager.default.removeItem(atPath: ballast)
    try store.perform(.probe)
    try store.perform(.append(to: 1, (stored + 1)...(stored + 1)))
    store.close()
    store = try SQLiteSessionStore(folder: folder)
    #expect(try await store.load(.number(1))?.sequence == stored + 1)
    store.close()
  }
}
