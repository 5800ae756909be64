/// The migration from version 1, with a row for each entry and its key in it, to version 2, with a row for each append
/// and all keys in a table of their own.
let migrationFrom1 = [
  "ALTER TABLE entry RENAME TO entry_1",
  "ALTER INDEX entry_pkey RENAME TO entry_1_pkey",
  """
  CREATE TABLE entry (
    session bytea NOT NULL, sequence bigint NOT NULL, entries int NOT NULL, version bigint NOT NULL,
    body bytea NOT NULL, PRIMARY KEY (session, sequence)
  )
  """,
  """
  INSERT INTO entry (session, sequence, entries, version, body)
  SELECT session, sequence, 1, version, timestamptz_send(time) || int8send(version)
    || set_byte(' ', 0, kind::int) || \(counted("outcome")) || \(counted("running"))
    || \(counted("trace")) || CASE WHEN key IS NULL THEN int4send(-1) ELSE
      \(counted("key")) || timestamptz_send(key_time) || \(counted("digest"))
      || set_byte(' ', 0, answer::int) || int8send(processed) || int8send(count)
      || int8send(key_version) END
  FROM entry_1
  """,
  """
  INSERT INTO key (session, \(KeyColumns.names))
  SELECT DISTINCT ON (session, key)
    session, key, sequence, key_time, digest, answer, processed, count, key_version
  FROM entry_1 WHERE key IS NOT NULL ORDER BY session, key, sequence DESC
  \(KeyColumns.replacing)
  """,
  "DROP TABLE entry_1",
  "UPDATE service SET version = 2",
]

/// The migration from version 2, whose sessions had no names, alarms or identities.
///
/// Nodes of version 2 that run meanwhile go on: they neither read nor write what is new.
let migrationFrom2 =
  [
    "ALTER TABLE session ADD COLUMN identity bytea, ADD COLUMN session_name bytea",
    nameIndex,
  ] + alarmTables + ["UPDATE service SET version = 3"]

/// The migration from version 3, which had no shares, and noted changes of format in the entries alone.
let migrationFrom3 =
  shareTables + [
    "ALTER TABLE head ADD COLUMN \(reformatted)",
    reformattedFunction,
    reformattedTrigger,
    "UPDATE service SET version = 4",
  ]

/// The migration from version 4, which kept no crashes.
let migrationFrom4 = [crashTable, "UPDATE service SET version = 5"]

/// The migration from version 5, which did not keep who had created a session.
let migrationFrom5 = [
  "ALTER TABLE session ADD COLUMN creator bytea", "UPDATE service SET version = 6",
]

private func counted(_ column: String) -> String {
  "int4send(octet_length(\(column))) || \(column)"
}
