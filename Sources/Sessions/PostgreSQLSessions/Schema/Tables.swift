/// The tables of a new store, in the first schema of the connection's `search_path`.
let tables = [
  // One row for each lease: a process that has lost one joins under a new number.
  """
  CREATE TABLE node (
    number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    joined timestamptz NOT NULL DEFAULT clock_timestamp(), expires timestamptz NOT NULL,
    gone timestamptz, name text NOT NULL, address text NOT NULL
  )
  """,
  // Narrow, with room for newer versions of a row, and without an index of what an append changes: then an
  // append changes one page of it (heap-only tuples). `used` is by the clocks of nodes, `touched` and
  // `released` by the database's. `released` is there while nobody has the session; `interrupted` too, where
  // something was running then.
  """
  CREATE TABLE session (
    id bytea PRIMARY KEY, owner bigint, epoch bigint NOT NULL, sequence bigint NOT NULL,
    used timestamptz NOT NULL, touched timestamptz NOT NULL, released timestamptz,
    interrupted bigint, running boolean NOT NULL, view_model text NOT NULL
  ) WITH (fillfactor = 70)
  """,
  "CREATE INDEX session_owner ON session (owner) WHERE owner IS NOT NULL",
  "CREATE INDEX session_released ON session (released) WHERE released IS NOT NULL",
  "CREATE INDEX session_interrupted ON session (interrupted) WHERE interrupted IS NOT NULL",
  "CREATE SEQUENCE interruption",
  """
  CREATE TABLE head (
    session bytea PRIMARY KEY, sequence bigint NOT NULL, version bigint NOT NULL,
    format bigint NOT NULL, created timestamptz NOT NULL, parameters bytea NOT NULL,
    running bytea NOT NULL, state bytea NOT NULL
  )
  """,
  // One row for each append: so many entries, of which the last has this sequence and version (`PackedEntries`).
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
]
