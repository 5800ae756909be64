import CFusionSQLite
import FusionKeyedDigest
import Glibc

/// The schema of a store's database, and how a file with it is opened.
enum Schema {
  /// The application id in SQLite's header: "UIFs".
  static let application: Int64 = 0x5549_4673
  /// The version of the schema, which the file keeps as its `user_version`.
  static let version = 6

  /// The largest file that is checked in whole at opening, in bytes; errors in larger ones show when read.
  private static let checkedSize = 4 << 20

  private enum Content {
    case nothing
    case sessions
    case older(Int)
    case newer(Int)
    case somethingElse
    case faulty(String)
  }

  /// Returns the path of the database in a folder.
  static func file(in folder: String) -> String { "\(folder)/sessions.sqlite" }

  /// Opens a database, creates the tables in an empty file, and migrates an older schema; a file that is not a
  /// store's is not written to.
  static func open(
    _ path: String,
    _ access: Database.Access,
    vfs: String? = nil
  ) throws(StoreOpenError) -> Database {
    let (database, content) = try naming(path) { () throws(DatabaseError) -> (Database, Content) in
      let database = try Database(path, access, vfs: vfs)
      database.setCheckpointsOnClose(false)
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
    try naming(path) { () throws(DatabaseError) in
      try database.run("PRAGMA journal_mode = WAL")
      switch content {
      case .nothing: try createTables(in: database)
      case .older(let number): try migrate(database, from: number)
      default: break
      }
      makeShrinkable(database)
      database.setCheckpointsOnClose(true)
      // After a failed sync (fsync(2)) the log may have been read from the system's cache alone. A checkpoint
      // writes it anew before anything follows it; one that fails is repeated later.
      _ = try? database.checkpoint()
    }
    return database
  }

  /// Calls a function, and adds the file's path to its errors.
  static func naming<Found>(
    _ path: String,
    _ body: () throws(DatabaseError) -> Found
  ) throws(StoreOpenError) -> Found {
    do {
      return try body()
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
      let finding = try database.first("PRAGMA quick_check(1)") { $0.text(0) }
      if let finding, finding != "ok" { return .faulty(finding.replacing("\n", with: " ")) }
    }
    return number < version ? .older(number) : .sessions
  }
}

// MARK: Creating

extension Schema {
  /// Creates the database of a folder that has none, under another name first, so that a store's file is never empty.
  ///
  /// Throws if the file is empty, or if only its write-ahead log exists: then sessions were lost.
  static func createDatabase(in folder: String) throws(StoreOpenError) {
    let path = file(in: folder)
    switch (fileSize(of: path), fileSize(of: path + "-wal")) {
    case (0, _): throw .empty(path)
    case (nil, .some(1...)): throw .withoutDatabase(path)
    case (nil, _): break
    default: return
    }
    // By the default VFS: that of the options is for the store itself.
    let new = path + ".new"
    for suffix in ["", "-journal"] { _ = unsafe unlink(new + suffix) }
    try createFile(new)
    do throws(StoreOpenError) {
      try naming(new) { () throws(DatabaseError) in
        let database = try Database(new, .write)
        defer { database.close() }
        try database.run("PRAGMA auto_vacuum = INCREMENTAL")
        try createTables(in: database)
      }
      guard unsafe rename(new, path) == 0 else { throw .unusable(path, systemError()) }
      try synchronize(folder)
    } catch {
      _ = unsafe unlink(new)
      throw error
    }
  }

  /// Creates a file if missing, accessible to its owner only; SQLite gives its own files the same mode.
  static func createFile(_ path: String) throws(StoreOpenError) {
    let descriptor = unsafe Glibc.open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw .unusable(path, systemError()) }
    close(descriptor)
  }

  private static func createTables(in database: Database) throws(DatabaseError) {
    try database.transaction { () throws(DatabaseError) in
      for table in tables { try database.run(SQL(table)) }
      try createSecret(in: database)
      try database.run("PRAGMA application_id = \(raw: application)")
      try database.run("PRAGMA user_version = \(raw: version)")
    }
  }
}

// MARK: The secret

extension Schema {
  /// Returns the key of the digests of request bodies: 32 random bytes, as old as the file.
  static func secret(in database: Database) throws(DatabaseError) -> [UInt8] {
    guard let secret = try database.first("SELECT value FROM secret", { $0.bytes(0) }) else {
      throw .damaged("the secret is missing")
    }
    return secret
  }

  static func createSecret(in database: Database) throws(DatabaseError) {
    var generator = SystemRandomNumberGenerator()
    let secret = (0..<32).map { _ in UInt8.random(in: 0...255, using: &generator) }
    try database.run("INSERT INTO secret (value) VALUES (\(secret))")
  }
}

/// The migration of older schemas.
extension Schema {
  /// Migrates the tables from an older version, in one transaction.
  static func migrate(_ database: Database, from number: Int) throws(DatabaseError) {
    try database.transaction { () throws(DatabaseError) in
      if number < 2 { try migrateTo2(database) }
      if number < 3 { try migrateTo3(database) }
      // Version 3 had no shares.
      if number < 4 { for table in shareTables { try database.run(SQL(table)) } }
      // Version 4 kept no crashes.
      if number < 5 { for table in crashTables { try database.run(SQL(table)) } }
      // Version 5 did not keep who had created a session.
      if number < 6 { try database.run("ALTER TABLE session ADD COLUMN creator TEXT") }
      try database.run("PRAGMA user_version = \(raw: version)")
    }
  }

  /// Migrates from version 1, which kept the answer to each key with its State, and the SHA-256 of the body, and
  /// named the mark `history_end` settled.
  private static func migrateTo2(_ database: Database) throws(DatabaseError) {
    // In version 1, kinds 0 and 1 were answers with a State, 2 without, and 3 before the Input was processed.
    let answer = "CASE receipt_kind WHEN 2 THEN 1 WHEN 3 THEN 2 ELSE 0 END"
    try database.run(SQL(secretTable))
    try createSecret(in: database)
    try database.run("ALTER TABLE log RENAME TO old_log")
    try database.run(SQL(logTable))
    try database.run(
      """
      INSERT INTO log (position, session, sequence, time, key, version, kind, key_time,
        digest, answer, processed, count, key_version, running, outcome, trace)
      SELECT position, session, sequence, time, key, version, kind, key_time, key_body,
        iif(key IS NULL, NULL, \(raw: answer)), iif(key IS NULL, NULL, 1),
        iif(key IS NULL, NULL, 1), receipt_version, running, outcome, trace FROM old_log
      """
    )
    try database.run("DROP TABLE old_log")
    try database.run(SQL(keyTable))
    try database.run(
      """
      INSERT INTO key (session, sequence, name, time, digest, answer, processed, count, version)
      SELECT session, sequence, key, key_time, key_body, \(raw: answer), 1, 1, receipt_version
      FROM answer
      """
    )
    try database.run("DROP TABLE answer")
    try keyDigests(in: database)
    try database.run("UPDATE mark SET name = 'history_end' WHERE name = 'settled'")
  }

  /// Migrates from version 2, whose sessions had no names, alarms or identities.
  private static func migrateTo3(_ database: Database) throws(DatabaseError) {
    try database.run("ALTER TABLE session ADD COLUMN identity TEXT")
    try database.run("ALTER TABLE session ADD COLUMN name TEXT")
    try database.run(SQL(nameIndex))
    for table in alarmTables { try database.run(SQL(table)) }
  }

  /// Replaces each digest without a key by its digest with the secret.
  private static func keyDigests(in database: Database) throws(DatabaseError) {
    let digest = KeyedDigest(secret: try secret(in: database))
    for table in ["log", "key"] {
      let bodies = try database.all(
        "SELECT DISTINCT digest FROM \(raw: table) WHERE digest NOT NULL"
      ) { $0.bytes(0) }
      for body in bodies {
        try database.run(
          "UPDATE \(raw: table) SET digest = \(digest.digest(of: body)) WHERE digest = \(body)"
        )
      }
    }
  }
}

/// The mode in which a file can give free pages back to the disk
/// (https://sqlite.org/pragma.html#pragma_auto_vacuum).
extension Schema {
  /// The most bytes in use in a file that is changed to this mode at a start, which copies it in memory.
  private static let changedSize = 32 << 20

  /// Returns whether a file's `auto_vacuum` is 2, INCREMENTAL.
  static func canShrink(_ database: Database) throws(DatabaseError) -> Bool {
    try database.integer("PRAGMA auto_vacuum") == 2
  }

  /// Changes a small file that an older program created without this mode.
  ///
  /// A larger file stays as it is and reuses its free pages. A failure leaves the file as it was for the next start.
  static func makeShrinkable(_ database: Database) {
    try? changeMode(of: database)
  }

  private static func changeMode(of database: Database) throws(DatabaseError) {
    guard try !canShrink(database) else { return }
    let pages = try database.integer("PRAGMA page_count") ?? 0
    let free = try database.integer("PRAGMA freelist_count") ?? 0
    let size = try database.integer("PRAGMA page_size") ?? 0
    guard (pages - free) * size <= changedSize else { return }
    // In a container the temporary folder may be read-only.
    try database.run("PRAGMA temp_store = MEMORY")
    try database.run("PRAGMA auto_vacuum = INCREMENTAL")
    try database.run("VACUUM")
  }
}
