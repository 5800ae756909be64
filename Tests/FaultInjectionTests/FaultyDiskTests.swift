import CFusionFaultingVFS
import CFusionSQLite
import Foundation
import FusionFaultInjection
import Testing

/// The faulty disk, which must lose exactly what a real disk may lose.
struct `A faulty disk` {
  private let folder = URL.temporaryDirectory.appending(path: "uifusion-disk-\(UUID().uuidString)")

  /// A table with one column, in WAL mode; with full synchronous each row is synced.
  private final class Table {
    private var handle: OpaquePointer?

    /// Opens a connection; nil if that fails.
    init?(_ folder: URL, _ disk: FaultyDisk, synchronous: String = "FULL") {
      let path = folder.appending(path: "sessions.sqlite").path
      let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_EXRESCODE
      guard sqlite3_open_v2(path, &handle, flags, disk.name) == SQLITE_OK,
        run("PRAGMA journal_mode = WAL") == SQLITE_OK,
        run("PRAGMA synchronous = \(synchronous)") == SQLITE_OK,
        run("CREATE TABLE IF NOT EXISTS t (n INTEGER, padding BLOB)") == SQLITE_OK
      else { return nil }
    }

    deinit { close() }

    func close() {
      sqlite3_close_v2(handle)
      handle = nil
    }

    func run(_ sql: String) -> Int32 { sqlite3_exec(handle, sql, nil, nil, nil) }

    func insert(_ number: Int) -> Int32 { run("INSERT INTO t VALUES (\(number), zeroblob(3000))") }

    var count: Int {
      var statement: OpaquePointer?
      defer { sqlite3_finalize(statement) }
      guard sqlite3_prepare_v2(handle, "SELECT count(*) FROM t", -1, &statement, nil) == SQLITE_OK,
        sqlite3_step(statement) == SQLITE_ROW
      else { return -1 }
      return Int(sqlite3_column_int(statement, 0))
    }

    var isWhole: Bool { run("PRAGMA quick_check") == SQLITE_OK }
  }

  private func disk(seed: UInt64 = 1) throws -> FaultyDisk {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    return try FaultyDisk("disk-\(UUID().uuidString)", seed: seed)
  }

  private func withFolder(_ body: () throws -> Void) throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try body()
  }

  @Test func `fails the configured call with the configured code`() throws {
    try withFolder {
      let disk = try disk()
      let table = try #require(Table(folder, disk))
      #expect(table.insert(1) == SQLITE_OK)
      let code = SQLITE_IOERR | 4 << 8
      disk.setRule(.fail(FVFS_SYNC, on: [FVFS_LOG], with: code, after: 1))
      #expect([2, 3].map(table.insert) == [SQLITE_OK, code])
      disk.setRule(.fail(FVFS_WRITE, on: [FVFS_DATABASE], with: code))
      #expect(table.insert(3) == SQLITE_OK)
      disk.setRule(.fail(FVFS_WRITE, with: SQLITE_FULL))
      #expect(table.insert(4) == SQLITE_FULL)
      disk.setRule(.fail(FVFS_OPEN, with: SQLITE_CANTOPEN))
      #expect(Table(folder, disk) == nil)
      disk.setRule(nil)
      #expect(table.insert(4) == SQLITE_OK && table.count == 4)
      #expect(disk.faults == 3)
    }
  }

  @Test func `has the configured space`() throws {
    try withFolder {
      let disk = try disk()
      let table = try #require(Table(folder, disk))
      disk.setSpace(50_000)
      let codes = (1...20).map(table.insert)
      #expect(codes.first == SQLITE_OK && codes.last == SQLITE_FULL)
      #expect(Set(codes) == [SQLITE_OK, SQLITE_FULL])
      disk.setSpace(nil)
      #expect(table.insert(21) == SQLITE_OK)
      #expect(table.count == codes.count { $0 == SQLITE_OK } + 1)
    }
  }

  @Test func `hangs until it is released`() async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let disk = try disk()
    // Guard: only the thread below uses the table until the result arrives.
    nonisolated(unsafe) let table = try #require(Table(folder, disk))
    disk.setRule(.hang(FVFS_SYNC))
    let results = AsyncStream<Int32> { continuation in
      Thread.detachNewThread {
        continuation.yield(table.insert(1))
        continuation.finish()
      }
    }
    #expect(disk.hangs(within: 10_000))
    disk.setRule(nil)
    disk.release()
    for await result in results { #expect(result == SQLITE_OK) }
    #expect(table.count == 1)
  }

  @Test(arguments: 1...20 as ClosedRange<UInt64>)
  func `keeps at least the synced rows when power is lost`(seed: UInt64) throws {
    try withFolder {
      let disk = try disk(seed: seed)
      var table = try #require(Table(folder, disk))
      for number in 1...5 { #expect(table.insert(number) == SQLITE_OK) }
      #expect(table.run("PRAGMA synchronous = OFF") == SQLITE_OK)
      for number in 6...10 { #expect(table.insert(number) == SQLITE_OK) }
      disk.freeze()
      #expect(table.insert(11) != SQLITE_OK)
      table.close()
      try disk.restart(FVFS_POWER_FAILS)
      table = try #require(Table(folder, disk))
      #expect((5...10).contains(table.count) && table.isWhole)
    }
  }

  @Test func `loses unsynced rows with some seeds, but only if power is lost`() throws {
    for losesPower in [true, false] {
      let counts = try (1...20 as ClosedRange<UInt64>).map { seed in
        var count = 0
        try withFolder {
          let disk = try disk(seed: seed)
          var table = try #require(Table(folder, disk, synchronous: "OFF"))
          for number in 1...5 { #expect(table.insert(number) == SQLITE_OK) }
          disk.freeze()
          table.close()
          try disk.restart(losesPower ? FVFS_POWER_FAILS : FVFS_POWER_STAYS)
          // The table itself may be lost; then this creates an empty one.
          table = try #require(Table(folder, disk))
          count = table.count
        }
        return count
      }
      #expect(counts.allSatisfy { $0 == 5 } == !losesPower, "\(counts)")
    }
  }

  /// After a failed fsync(2), earlier writes may be lost even if a later call succeeds.
  @Test func `loses writes of a failed sync, even if later syncs succeed`() throws {
    let counts = try (1...20 as ClosedRange<UInt64>).map { seed in
      var count = 0
      try withFolder {
        let disk = try disk(seed: seed)
        var table = try #require(Table(folder, disk))
        disk.setRule(.fail(FVFS_SYNC, with: SQLITE_IOERR | 4 << 8))
        #expect(table.insert(1) != SQLITE_OK)
        disk.freeze()
        table.close()
        try disk.restart(FVFS_POWER_STAYS)
        table = try #require(Table(folder, disk))
        #expect(table.insert(2) == SQLITE_OK)
        disk.freeze()
        table.close()
        try disk.restart(FVFS_POWER_FAILS)
        table = try #require(Table(folder, disk))
        count = table.count
      }
      return count
    }
    #expect(Set(counts) == [0, 1, 2] || Set(counts) == [0, 2], "\(counts)")
  }

  @Test func `restarts only when its files are closed`() throws {
    try withFolder {
      let disk = try disk()
      let table = try #require(Table(folder, disk))
      disk.freeze()
      #expect(throws: FaultyDisk.CannotRestart.self) { try disk.restart(FVFS_POWER_FAILS) }
      table.close()
      try disk.restart(FVFS_POWER_FAILS)
    }
  }
}
