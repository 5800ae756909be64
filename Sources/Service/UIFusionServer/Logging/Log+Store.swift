import FusionPostgreSQLSessions
import FusionSQLiteSessions
import FusionSessions

extension Log {
  /// Logs an event of a PostgreSQL store.
  func report(_ event: PostgreSQLSessionStore.Event) {
    switch event {
    case .unreachable(let text):
      warning("PostgreSQL does not answer: each change tries again", ("error", text))
    case .awaited(let text):
      warning("cannot reach PostgreSQL yet: retrying for 30 seconds", ("error", text))
    case .waitsForStandby:
      warning(
        "commits wait for a synchronous standby: start one, or change synchronous_standby_names (article"
          + " PostgreSQL)"
      )
    case .reconnected: info("PostgreSQL answers again")
    case .warned(let text): warning("PostgreSQL warns", ("warning", text))
    case .nodeDied(let node, let sessions):
      emit(
        sessions == 0 ? .info : .warning,
        "another node's lease expired: its sessions move to the nodes that are asked for them",
        [("node", "\(node.number)"), ("name", node.name), ("sessions", "\(sessions)")]
      )
    }
  }

  /// Logs an event of a store in a folder.
  func report(_ event: SQLiteSessionStore.Event) {
    switch event {
    case .waitsForLock:
      info("another process serves this folder: waiting for it to stop")
    case .remoteFileSystem(let name):
      warning(
        "the data folder is on a remote file system: its locks and durability may fail",
        ("fileSystem", name)
      )
    case .damagedHistory(let text):
      error("old history is damaged and kept: sessions still work, make a backup", ("error", text))
    case .tidyingFailed(let text):
      warning("cannot drop old history: trying again later", ("error", text))
    case .checkpointFailed(let text, 1):
      warning("cannot move the write-ahead log into the database", ("error", text))
    case .checkpointFailed: break
    case .longLog(let pages):
      warning(
        "the write-ahead log is long: a reader holds it, or the disk is slow",
        ("bytes", "\(pages * 4_096)")
      )
    case .keepsItsSize:
      info(
        "the database is too large for a start to convert, and does not shrink: `sessions backup` writes one that"
          + " does"
      )
    }
  }
}
