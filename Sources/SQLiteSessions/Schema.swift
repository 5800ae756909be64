import CSQLite
import Glibc

/// The tables, and what tells that a file has them.
enum Schema {
  /// Names the file in SQLite's header: "UIFs".
  static let application: Int64 = 0x5549_4673
  /// The number of these tables' shape.
  static let version = 1

  /// How large a file may be to be checked in whole; a larger one is checked where it is read.
  private static let checkedSize = 4 << 20

  private enum Content {
    case nothing
    case sessions
    case somethingElse
    case newer(Int)
    case faulty(String)
  }

  static func file(in folder: String) -> String { "\(folder)/sessions.sqlite" }

  /// Makes sure that there is a file, for its owner alone; those that SQLite adds are like it.
  static func makeFile(_ path: String) throws(StoreOpenError) {
    let descriptor = unsafe Glibc.open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw .unusable(path, systemError()) }
    close(descriptor)
  }

  /// Opens a file, and makes the tables in an empty one; what is not ours is not written to.
  static func open(
    _ path: String,
    _ access: Database.Access
  ) throws(StoreOpenError) -> Database {
    let (database, content) = try looking(at: path) {
      () throws(DatabaseError) -> (Database, Content) in
      let database = try Database(path, access)
      database.checkpointsOnClose(false)
      return (database, try Self.content(of: database))
    }
    switch content {
    case .nothing where access == .read: throw .missing(path)
    case .nothing, .sessions: break
    case .somethingElse: throw .foreign(path)
    case .newer(let number): throw .newer(path, number, known: version)
    case .faulty(let text): throw .damaged(path, text)
    }
    guard access == .write else { return database }
    if database.isReadOnly { throw .unusable(path, "it is read-only") }
    try looking(at: path) { () throws(DatabaseError) in
      try database.run("PRAGMA journal_mode = WAL")
      if case .nothing = content { try makeTables(in: database) }
      database.checkpointsOnClose(true)
    }
    return database
  }

  /// Calls what reads a file, and says where it was.
  static func looking<Found>(
    at path: String,
    _ read: () throws(DatabaseError) -> Found
  ) throws(StoreOpenError) -> Found {
    do {
      return try read()
    } catch {
      throw error.isDamage
        ? .damaged(path, error.text) : .unusable(path, "\(error.text) (SQLite \(error.code))")
    }
  }

  private static func content(of database: Database) throws(DatabaseError) -> Content {
    if try database.integer("SELECT count(*) FROM sqlite_schema") == 0 { return .nothing }
    guard try database.integer("PRAGMA application_id") == application else {
      return .somethingElse
    }
    let number = try Int(database.integer("PRAGMA user_version") ?? 0)
    guard number <= version else { return .newer(number) }
    let pages = try database.integer("PRAGMA page_count") ?? 0
    let size = try database.integer("PRAGMA page_size") ?? 0
    if pages * size <= checkedSize {
      let rows = try database.rows("PRAGMA quick_check(1)")
      if let row = try rows.next(), row.text(0) != "ok" {
        return .faulty(row.text(0).replacing("\n", with: " "))
      }
    }
    return .sessions
  }

  private static func makeTables(in database: Database) throws(DatabaseError) {
    try database.run("BEGIN IMMEDIATE")
    for table in tables { try database.run(table) }
    try database.run("PRAGMA application_id = \(application)")
    try database.run("PRAGMA user_version = \(version)")
    try database.run("COMMIT")
  }
}

// In each table what is read alone stands before what is long: SQLite then skips the pages of that.
private let tables = [
  // `born` is the newest position of the log as it began.
  """
  CREATE TABLE session (
    number INTEGER PRIMARY KEY, id BLOB NOT NULL UNIQUE, view_model TEXT NOT NULL,
    created INTEGER NOT NULL, used INTEGER NOT NULL, born INTEGER NOT NULL,
    parameters BLOB NOT NULL
  ) STRICT
  """,
  """
  CREATE TABLE head (
    session INTEGER PRIMARY KEY, sequence INTEGER NOT NULL, version INTEGER NOT NULL,
    format INTEGER NOT NULL, running BLOB NOT NULL, state BLOB NOT NULL
  ) STRICT
  """,
  // Only ever appended to; without any index, since that would double what a commit writes.
  """
  CREATE TABLE log (
    position INTEGER PRIMARY KEY, session INTEGER NOT NULL, sequence INTEGER NOT NULL,
    time INTEGER NOT NULL, key TEXT, version INTEGER NOT NULL, kind INTEGER NOT NULL,
    key_time INTEGER, key_body BLOB, receipt_kind INTEGER, receipt_version INTEGER,
    preferences TEXT, running BLOB NOT NULL, outcome BLOB NOT NULL, trace BLOB NOT NULL,
    receipt_state BLOB
  ) STRICT
  """,
  // The answers of entries that a head has covered.
  """
  CREATE TABLE answer (
    session INTEGER NOT NULL, sequence INTEGER NOT NULL, key TEXT NOT NULL,
    key_time INTEGER NOT NULL, key_body BLOB NOT NULL, receipt_kind INTEGER NOT NULL,
    receipt_version INTEGER NOT NULL, preferences TEXT NOT NULL, receipt_state BLOB NOT NULL,
    PRIMARY KEY (session, sequence)
  ) STRICT, WITHOUT ROWID
  """,
  """
  CREATE TABLE ended (
    id BLOB PRIMARY KEY, reason TEXT NOT NULL, time INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID
  """,
  // Sessions that are over, and between which positions the log may have something of them.
  """
  CREATE TABLE leftover (
    session INTEGER PRIMARY KEY, first INTEGER NOT NULL, last INTEGER NOT NULL
  ) STRICT
  """,
  "CREATE TABLE mark (name TEXT PRIMARY KEY, value INTEGER NOT NULL) STRICT, WITHOUT ROWID",
  "CREATE TABLE probe (number INTEGER PRIMARY KEY, padding BLOB NOT NULL) STRICT",
]
