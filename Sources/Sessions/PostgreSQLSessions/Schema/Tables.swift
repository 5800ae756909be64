/// The tables of a new store, in the first schema of the connection's `search_path`.
let tables =
  [
    // One row for each lease: a process that has lost its lease joins under a new number.
    """
    CREATE TABLE node (
      number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      joined timestamptz NOT NULL DEFAULT clock_timestamp(), expires timestamptz NOT NULL,
      gone timestamptz, name text NOT NULL, address text NOT NULL
    )
    """,
    // Narrow rows with room for newer versions, and no index on the columns that an append changes: then an append
    // changes one page (heap-only tuples). `used` is by the clocks of nodes, `touched` and `released` by the
    // database's. `released` is set while no node owns the session, and so is `interrupted` if something was running.
    """
    CREATE TABLE session (
      id bytea PRIMARY KEY, owner bigint, epoch bigint NOT NULL, sequence bigint NOT NULL,
      used timestamptz NOT NULL, touched timestamptz NOT NULL, released timestamptz,
      interrupted bigint, running boolean NOT NULL, view_model text NOT NULL,
      identity bytea, session_name bytea, creator bytea
    ) WITH (fillfactor = 70)
    """,
    nameIndex,
    "CREATE INDEX session_owner ON session (owner) WHERE owner IS NOT NULL",
    "CREATE INDEX session_released ON session (released) WHERE released IS NOT NULL",
    "CREATE INDEX session_interrupted ON session (interrupted) WHERE interrupted IS NOT NULL",
    "CREATE SEQUENCE interruption",
    """
    CREATE TABLE head (
      session bytea PRIMARY KEY, sequence bigint NOT NULL, version bigint NOT NULL,
      format bigint NOT NULL, created timestamptz NOT NULL, parameters bytea NOT NULL,
      running bytea NOT NULL, state bytea NOT NULL, \(reformatted)
    )
    """,
    reformattedFunction,
    reformattedTrigger,
    // One row for each append: the packed entries, their number, and the sequence and version of the last one.
    """
    CREATE TABLE entry (
      session bytea NOT NULL, sequence bigint NOT NULL, entries int NOT NULL, version bigint NOT NULL,
      body bytea NOT NULL, PRIMARY KEY (session, sequence)
    )
    """,
    """
    CREATE TABLE key (
      session bytea NOT NULL, name bytea NOT NULL, sequence bigint NOT NULL,
      time timestamptz NOT NULL, digest bytea NOT NULL, answer bigint NOT NULL,
      processed bigint NOT NULL, count bigint NOT NULL, version bigint NOT NULL,
      PRIMARY KEY (session, name)
    )
    """,
    """
    CREATE TABLE ended (id bytea PRIMARY KEY, time timestamptz NOT NULL, reason text NOT NULL)
    """,
    "CREATE INDEX ended_time ON ended (time)",
  ] + alarmTables + shareTables + [crashTable]

/// The sequence up to which the format of State may have changed; 0 for never, NULL for a session of an earlier build.
///
/// A trigger sets it, so that nodes of earlier builds do, too. Without it each entry would have to be searched for the
/// note of a change.
let reformatted = "reformatted bigint"

let reformattedFunction = """
  CREATE FUNCTION head_reformatted() RETURNS trigger LANGUAGE plpgsql AS
  $$ BEGIN NEW.reformatted := NEW.sequence; RETURN NEW; END $$
  """

let reformattedTrigger = """
  CREATE TRIGGER head_reformatted BEFORE UPDATE OF format ON head FOR EACH ROW
  WHEN (OLD.format <> NEW.format) EXECUTE FUNCTION head_reformatted()
  """

/// The shares of sessions, which go with their session, also where a node of an earlier build ends it.
let shareTables = [
  """
  CREATE TABLE share (
    id bytea PRIMARY KEY, session bytea NOT NULL REFERENCES session ON DELETE CASCADE,
    role int NOT NULL, created timestamptz NOT NULL, expires timestamptz
  )
  """,
  "CREATE INDEX share_session ON share (session)",
]

/// The crashes of nodes at the work of sessions, which go with their session, also where a node of an earlier build
/// ends it.
let crashTable = """
  CREATE TABLE crash (
    session bytea PRIMARY KEY REFERENCES session ON DELETE CASCADE, time timestamptz NOT NULL,
    build text NOT NULL, repeated boolean NOT NULL
  )
  """

/// The alarms that are set: a table that nodes of an earlier build, which may run beside this one, do not know.
///
/// A session with alarms that no node owns is released at `infinity`, so that no node expires it.
let alarmTables = [
  """
  CREATE TABLE alarm (
    session bytea NOT NULL, name bytea NOT NULL, time timestamptz NOT NULL, action bytea NOT NULL,
    PRIMARY KEY (session, name)
  )
  """,
  "CREATE INDEX alarm_time ON alarm (time, session, name)",
]

/// The index that keeps a name unique within a view model and an identity.
///
/// Both columns are bytes, as a database may call different texts equal. The name's column is not `name`, which means a
/// node's name where version 2 joins the tables.
let nameIndex = """
  CREATE UNIQUE INDEX session_name ON session (view_model, coalesce(identity, ''), session_name)
  WHERE session_name IS NOT NULL
  """
