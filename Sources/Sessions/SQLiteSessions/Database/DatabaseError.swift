import CFusionSQLite
import FusionSessions

/// A failed call of SQLite (https://sqlite.org/rescode.html).
struct DatabaseError: Error {
  /// An extended result code.
  let code: Int32
  let text: String

  /// Makes an error for content that this store cannot have written.
  static func damaged(_ text: String) -> DatabaseError {
    DatabaseError(code: SQLITE_CORRUPT, text: text)
  }

  /// The primary result code.
  var primary: Int32 { code & 0xFF }

  var isDamage: Bool { primary == SQLITE_CORRUPT || primary == SQLITE_NOTADB }

  /// Whether the error concerns some pages or values only, so that others may still be read and written.
  var isContained: Bool {
    switch primary {
    case SQLITE_CORRUPT, SQLITE_CONSTRAINT, SQLITE_MISMATCH, SQLITE_TOOBIG: true
    default: isFailedRead
    }
  }

  /// Whether the disk failed to return a page (SQLITE_IOERR_READ).
  private var isFailedRead: Bool { code == SQLITE_IOERR | 1 << 8 }

  var storeError: StoreError {
    switch primary {
    case SQLITE_FULL: .full
    case SQLITE_CORRUPT, SQLITE_NOTADB, SQLITE_CONSTRAINT, SQLITE_MISMATCH, SQLITE_TOOBIG:
      .damaged(text)
    default: .unreachable("\(text) (SQLite \(code))")
    }
  }

  /// The meaning of this error when COMMIT itself failed with it.
  ///
  /// SQLite rolls back what it has not written completely. If all is written and only the sync failed
  /// (SQLITE_IOERR_FSYNC, SQLITE_IOERR_DIR_FSYNC), the next process may find the transaction on the disk.
  var storeErrorOfCommit: StoreError {
    switch code {
    case SQLITE_IOERR | 4 << 8, SQLITE_IOERR | 5 << 8: .inDoubt
    default: storeError
    }
  }
}
