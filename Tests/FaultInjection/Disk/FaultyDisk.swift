package import CFusionFaultingVFS
import CFusionSQLite

/// A faulty disk: a VFS of SQLite for one folder, registered under its own name.
package final class FaultyDisk: @unchecked Sendable {
  // Guard: the mutex of the C library, which all its functions lock.
  package let name: String
  private let vfs: OpaquePointer

  package struct CannotRegister: Error {}
  package struct CannotRestart: Error {}

  package init(_ name: String, seed: UInt64) throws {
    self.name = name
    guard let vfs = fvfs_register(name, seed) else { throw CannotRegister() }
    self.vfs = vfs
  }

  deinit { fvfs_unregister(vfs) }

  /// The number of calls that failed or waited.
  package var faults: Int { fvfs_faults(vfs) }

  /// The number of writes that would not survive a loss of power now.
  package var unsyncedWrites: Int { fvfs_unsynced(vfs) }

  /// Replaces the fault; hanging calls continue.
  package func inject(_ fault: Fault?) {
    setSpace(nil)
    setRule(fault?.rule)
    if case .spaceIsShort(let bytes) = fault { setSpace(bytes) }
    fvfs_release(vfs)
  }

  package func setRule(_ rule: fvfs_rule?) {
    guard var rule else { return fvfs_set_rule(vfs, nil) }
    fvfs_set_rule(vfs, &rule)
  }

  package func setSpace(_ bytes: Int?) { fvfs_set_space(vfs, Int64(bytes ?? -1)) }

  package func release() { fvfs_release(vfs) }

  /// Waits until a call hangs, at most for some milliseconds; returns whether one does.
  package func hangs(within milliseconds: Int) -> Bool {
    fvfs_wait_for_hang(vfs, Int32(milliseconds)) == 1
  }

  /// Makes further changes of files fail, as if the process that uses the disk had died.
  package func freeze() { fvfs_freeze(vfs) }

  /// Reads again the files that another process has changed; all files must be closed.
  package func reread() { fvfs_reread(vfs) }

  /// Makes the disk ready for another process; all files must be closed.
  package func restart(_ power: fvfs_power) throws {
    guard fvfs_restart(vfs, power) == 0 else { throw CannotRestart() }
  }
}

extension fvfs_rule {
  /// Makes a rule for calls of some kinds, by default on all files.
  package static func fail(
    _ calls: fvfs_call...,
    on files: [fvfs_file] = [FVFS_DATABASE, FVFS_LOG, FVFS_OTHER],
    with code: Int32,
    after skipped: Int = 0,
    percent: Int = 100
  ) -> fvfs_rule {
    fvfs_rule(
      calls: Int32(calls.reduce(0) { $0 | $1.rawValue }),
      files: Int32(files.reduce(0) { $0 | $1.rawValue }),
      skip: skipped,
      limit: -1,
      percent: Int32(percent),
      code: code
    )
  }

  package static func hang(_ calls: fvfs_call...) -> fvfs_rule {
    var rule = fail(with: 0)
    rule.calls = Int32(calls.reduce(0) { $0 | $1.rawValue })
    return rule
  }
}

extension Fault {
  /// The rule of a fault, with the extended codes of os_unix.c (https://sqlite.org/rescode.html).
  fileprivate var rule: fvfs_rule? {
    switch self {
    case .writesFail(let percent):
      .fail(FVFS_WRITE, with: SQLITE_IOERR | 3 << 8, percent: percent)
    case .diskIsFull(let percent): .fail(FVFS_WRITE, with: SQLITE_FULL, percent: percent)
    case .syncsFail(let percent):
      .fail(FVFS_SYNC, with: SQLITE_IOERR | 4 << 8, percent: percent)
    case .syncsHang, .syncsAreSlow: .hang(FVFS_SYNC)
    case .writesHang: .hang(FVFS_WRITE)
    case .spaceIsShort: nil
    case .truncatesFail: .fail(FVFS_TRUNCATE, with: SQLITE_IOERR | 6 << 8)
    case .mapsFail: .fail(FVFS_MAP, with: SQLITE_IOERR | 21 << 8)
    }
  }
}
