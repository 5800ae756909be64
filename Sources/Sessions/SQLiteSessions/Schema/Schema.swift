import CFusionSQLite
import Glibc

/// The tables, and what tells that a file has them.
enum Schema {
  /// Names the file in SQLite's header: "UIFs".
  static let application: Int64 = 0x5549_4673
  /// The number of these tables' shape.
  static let version = 2

  /// How large a file may be to be checked in whole; a larger one is checked where it is read.
  private static let checkedSize = 4 << 20

  private enum Content {
    case nothing
    case sessions
    /// Of an older shape.
    case older(Int)
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
    _ access: Database.Access,
    vfs: String? = nil
  ) throws(StoreOpenError) -> Database {
    let (database, content) = try looking(at: path) {
      () throws(DatabaseError) -> (Database, Content) in
      let database = try Database(path, access, vfs: vfs)
      database.checkpointsOnClose(false)
      return (database, try Self.content(of: database))
    }
    switch content {
    case .nothing where access == .read: throw .missing(path)
    case .older where access == .read: throw .older(path)
    case .nothing, .sessions, .older: break
    case .somethingElse: throw .foreign(path)
    case .newer(let number): throw .newer(path, number, known: version)
    case .faulty(let text): throw .damaged(path, text)
    }
    guard access == .write else { return database }
    if database.isReadOnly { throw .unusable(path, "it is read-only") }
    try looking(at: path) { () throws(DatabaseError) in
      try database.run("PRAGMA journal_mode = WAL")
      switch content {
      case .nothing: try makeTables(in: database)
      case .older(let number): try migrate(database, from: number)
      default: break
      }
      makeShrinkable(database)
      database.checkpointsOnClose(true)
      // What was read from the log may be in the system's cache alone, where a sync failed (fsync(2)):
      // it is written anew before anything follows it.
      // What fails is tried again later.
      _ = try? database.checkpoint()
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
    return number < version ? .older(number) : .sessions
  }

  static func makeTables(in database: Database) throws(DatabaseError) {
    try database.run("BEGIN IMMEDIATE")
    for table in tables { try database.run(table) }
    try makeSecret(in: database)
    try database.run("PRAGMA application_id = \(application)")
    try database.run("PRAGMA user_version = \(version)")
    try database.run("COMMIT")
  }

  /// What digests of bodies are made with: 32 random bytes, made with the file.
  static func secret(in database: Database) throws(DatabaseError) -> [UInt8] {
    let rows = try database.rows("SELECT value FROM secret")
    guard let row = try rows.next() else { throw .damaged("the secret is missing") }
    return row.bytes(0)
  }

  static func makeSecret(in database: Database) throws(DatabaseError) {
    var generator = SystemRandomNumberGenerator()
    let secret = (0..<32).map { _ in UInt8.random(in: 0...255, using: &generator) }
    try database.run("INSERT INTO secret (value) VALUES (?)", .blob(secret))
  }
}
