/// The tables of a new database.
///
/// In each table what is read alone stands before what is long: SQLite then skips the pages of that.
let tables = [
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
  logTable,
  keyTable,
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
  secretTable,
]

// The migration to shape 2 uses these three: before one is changed, its present text is to be copied there.

/// Only ever appended to; without any index, since that would double what a commit writes.
let logTable = """
  CREATE TABLE log (
    position INTEGER PRIMARY KEY, session INTEGER NOT NULL, sequence INTEGER NOT NULL,
    time INTEGER NOT NULL, key TEXT, version INTEGER NOT NULL, kind INTEGER NOT NULL,
    key_time INTEGER, digest BLOB, answer INTEGER, processed INTEGER, count INTEGER,
    key_version INTEGER, running BLOB NOT NULL, outcome BLOB NOT NULL, trace BLOB NOT NULL
  ) STRICT
  """

/// The keys of entries that a head has covered.
let keyTable = """
  CREATE TABLE key (
    session INTEGER NOT NULL, sequence INTEGER NOT NULL, name TEXT NOT NULL,
    time INTEGER NOT NULL, digest BLOB NOT NULL, answer INTEGER NOT NULL,
    processed INTEGER NOT NULL, count INTEGER NOT NULL, version INTEGER NOT NULL,
    PRIMARY KEY (session, sequence)
  ) STRICT, WITHOUT ROWID
  """

let secretTable = "CREATE TABLE secret (value BLOB NOT NULL) STRICT"
