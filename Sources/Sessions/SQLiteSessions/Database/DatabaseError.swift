import CFusionSQLite
import FusionSessions

/// What SQLite says of a call that failed.
struct DatabaseError: Error {
  /// An extended result code.
  let code: Int32
  let text: String

  /// What is there is not what was written.
  static func damaged(_ text: String) -> DatabaseError {
    DatabaseError(code: SQLITE_CORRUPT, text: text)
  }

  /// What the code is a case of.
  var primary: Int32 { code & 0xFF }

  var isDamage: Bool { primary == SQLITE_CORRUPT || primary == SQLITE_NOTADB }

  /// Whether it is of some pages or values: others may be read and written all the same.
  var isLocal: Bool {
    switch primary {
    case SQLITE_CORRUPT, SQLITE_CONSTRAINT, SQLITE_MISMATCH, SQLITE_TOOBIG: true
    default: isFailedRead
    }
  }

  /// SQLITE_IOERR_READ: the disk does not give a page back.
  private var isFailedRead: Bool { code == SQLITE_IOERR | 1 << 8 }

  var storeError: StoreError {
    switch primary {
    case SQLITE_FULL: .full
    case SQLITE_CORRUPT, SQLITE_NOTADB, SQLITE_CONSTRAINT, SQLITE_MISMATCH, SQLITE_TOOBIG:
      .damaged(text)
    default: .unreachable("\(text) (SQLite \(code))")
    }
  }

  /// What it means that COMMIT itself failed so.
  ///
  /// SQLite takes back what it has not written to the end. Where it has, and only could not make
  /// sure that it is on the disk, the next process may find it there.
  var storeErrorOfCommit: StoreError {
    switch code {
    case SQLITE_IOERR | 4 << 8, SQLITE_IOERR | 5 << 8: .inDoubt
    default: storeError
    }
  }
}
