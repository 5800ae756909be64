import FusionPostgreSQLSessions
import FusionSQLiteSessions
import FusionSessions

extension Log {
  func report(_ event: PostgreSQLSessionStore.Event) {
    switch event {
    case .unreachable(let text):
      warning("PostgreSQL does not answer: it is tried again with each change", ("error", text))
    case .awaited(let text):
      warning("PostgreSQL cannot be reached yet: it is tried again for 30 seconds", ("error", text))
    case .waitsForStandby:
      warning(
        "commits wait for a synchronous standby: start one, or change synchronous_standby_names (see the"
          + " article PostgreSQL)"
      )
    case .reconnected: info("PostgreSQL answers again")
    case .warned(let text): warning("PostgreSQL warns", ("warning", text))
    case .nodeDied(let node, let sessions):
      emit(
        sessions == 0 ? .info : .warning,
        "another node's lease has run out: its sessions go to whoever is asked for them",
        [("node", "\(node.number)"), ("name", node.name), ("sessions", "\(sessions)")]
      )
    }
  }

  func report(_ event: SQLiteSessionStore.Event) {
    switch event {
    case .waitsForLock:
      info("another process serves the sessions of this folder: waiting for it to stop")
    case .remoteFileSystem(let name):
      warning(
        "the data folder is not on a disk of this machine: locks and durability may not hold",
        ("fileSystem", name)
      )
    case .damagedHistory(let text):
      error(
        "old history is damaged and is kept: sessions still work, make a backup",
        ("error", text)
      )
    case .tidyingFailed(let text):
      warning("old history cannot be dropped now: it is tried again", ("error", text))
    case .checkpointFailed(let text, 1):
      warning("the store's write-ahead log cannot be moved into its database", ("error", text))
    case .checkpointFailed: break
    case .longLog(let pages):
      warning(
        "the store's write-ahead log is long: something reads the folder for long, or the disk is slow",
        ("bytes", "\(pages * 4_096)")
      )
    case .keepsItsSize:
      info(
        "the file of sessions was made by an older version and is too large to be changed at a start:"
          + " it does not shrink; a folder that `sessions backup` writes does"
      )
    }
  }
}
