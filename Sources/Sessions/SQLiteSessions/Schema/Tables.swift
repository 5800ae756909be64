/// The statements that create the tables of a new database.
///
/// Long columns stand last in each table, so that SQLite skips their overflow pages when it reads the others.
let tables =
  [
    // `born` is the newest position of the log when the session was created.
    """
    CREATE TABLE session (
      number INTEGER PRIMARY KEY, id BLOB NOT NULL UNIQUE, view_model TEXT NOT NULL,
      created INTEGER NOT NULL, used INTEGER NOT NULL, born INTEGER NOT NULL,
      identity TEXT, name TEXT, creator TEXT, parameters BLOB NOT NULL
    ) STRICT
    """,
    nameIndex,
    """
    CREATE TABLE head (
      session INTEGER PRIMARY KEY, sequence INTEGER NOT NULL, version INTEGER NOT NULL,
      format INTEGER NOT NULL, running BLOB NOT NULL, state BLOB NOT NULL
    ) STRICT
    """,
    logTable,
    keyTable,
    """
    CREATE TABLE ended (
      id BLOB PRIMARY KEY, reason TEXT NOT NULL, time INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID
    """,
    // Ended sessions whose entries between two positions of the log are not deleted yet.
    """
    CREATE TABLE leftover (
      session INTEGER PRIMARY KEY, first INTEGER NOT NULL, last INTEGER NOT NULL
    ) STRICT
    """,
    "CREATE TABLE mark (name TEXT PRIMARY KEY, value INTEGER NOT NULL) STRICT, WITHOUT ROWID",
    "CREATE TABLE probe (number INTEGER PRIMARY KEY, padding BLOB NOT NULL) STRICT",
    secretTable,
  ] + alarmTables + shareTables + crashTables

/// The shares of sessions, which go with their session; the migration to version 4 uses it.
let shareTables = [
  """
  CREATE TABLE share (
    id BLOB PRIMARY KEY, session BLOB NOT NULL, role INTEGER NOT NULL, created INTEGER NOT NULL,
    expires INTEGER
  ) STRICT, WITHOUT ROWID
  """,
  "CREATE INDEX share_session ON share (session)",
  """
  CREATE TRIGGER share_end AFTER DELETE ON session BEGIN
    DELETE FROM share WHERE session = old.id;
  END
  """,
]

/// The crashes at the work of sessions, which go with their session; the migration to version 5 uses it.
let crashTables = [
  """
  CREATE TABLE crash (
    session BLOB PRIMARY KEY, time INTEGER NOT NULL, build TEXT NOT NULL, repeated INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID
  """,
  """
  CREATE TRIGGER crash_end AFTER DELETE ON session BEGIN
    DELETE FROM crash WHERE session = old.id;
  END
  """,
]

/// The alarms that are set, by the ids of their sessions; the migration to version 3 uses it.
let alarmTables = [
  """
  CREATE TABLE alarm (
    session BLOB NOT NULL, name BLOB NOT NULL, time INTEGER NOT NULL, action BLOB NOT NULL,
    PRIMARY KEY (session, name)
  ) STRICT, WITHOUT ROWID
  """,
  "CREATE INDEX alarm_time ON alarm (time, session, name)",
]

/// The index that keeps a name unique within a view model and an identity; texts compare by their bytes.
let nameIndex = """
  CREATE UNIQUE INDEX session_name ON session (view_model, ifnull(identity, ''), name)
  WHERE name IS NOT NULL
  """

// The migration to version 2 uses these three; before changing one, copy its present text there.

/// The log of all sessions, without an index, which would double what a commit writes.
let logTable = """
  CREATE TABLE log (
    position INTEGER PRIMARY KEY, session INTEGER NOT NULL, sequence INTEGER NOT NULL,
    time INTEGER NOT NULL, key TEXT, version INTEGER NOT NULL, kind INTEGER NOT NULL,
    key_time INTEGER, digest BLOB, answer INTEGER, processed INTEGER, count INTEGER,
    key_version INTEGER, running BLOB NOT NULL, outcome BLOB NOT NULL, trace BLOB NOT NULL
  ) STRICT
  """

/// The idempotency keys of entries that a head covers.
let keyTable = """
  CREATE TABLE key (
    session INTEGER NOT NULL, sequence INTEGER NOT NULL, name TEXT NOT NULL,
    time INTEGER NOT NULL, digest BLOB NOT NULL, answer INTEGER NOT NULL,
    processed INTEGER NOT NULL, count INTEGER NOT NULL, version INTEGER NOT NULL,
    PRIMARY KEY (session, sequence)
  ) STRICT, WITHOUT ROWID
  """

/// The key of the digests of request bodies.
let secretTable = "CREATE TABLE secret (value BLOB NOT NULL) STRICT"
