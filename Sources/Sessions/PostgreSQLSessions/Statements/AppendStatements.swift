import FusionSessions

/// The statements that append to sessions, many of them at once.
enum AppendStatements {
  /// An append, and the epoch in which this node owns the session.
  struct Item {
    let append: StoreChange.Append
    let epoch: Int64
  }

  /// Commits the appends whose fence holds, and returns the error of each; one append of each session at most.
  static func commit(
    _ items: [Item],
    as node: Int64,
    in connection: Connection
  ) throws(PostgreSQLError) -> [StoreError?] {
    // All nodes lock rows in this order, which prevents deadlocks.
    let sorted = items.sorted { $0.append.session < $1.append.session }
    let hasAlarms = items.contains { !$0.append.alarms.isEmpty }
    let isPlain =
      !hasAlarms
      && items.allSatisfy { item in
        item.append.head == nil && item.append.entries.allSatisfy { $0.key == nil }
      }
    var parameters = parameters(sorted, as: node, isPlain: isPlain)
    if hasAlarms { AlarmStatements.add(sorted.map(\.append), to: &parameters) }
    let statement = hasAlarms ? withAlarms : isPlain ? plain : full
    let rows = try connection.run(statement, parameters)
    guard rows.count == 1 else { throw .damaged("an answer is missing") }
    // The ids of the committed ones, 16 bytes each.
    let ids = rows.bytes(0, 0)
    if ids.count == items.count * 16 { return Array(repeating: nil, count: items.count) }
    let standing = Set(
      stride(from: 0, to: ids.count, by: 16).compactMap {
        SessionID(bytes: Array(ids[$0..<$0 + 16]))
      }
    )
    let others = sorted.filter { !standing.contains($0.append.session) }
    let errors = try errors(of: others, as: node, in: connection)
    return items.map { errors[$0.append.session] }
  }

  /// Returns the reasons why some appends were refused.
  private static func errors(
    of items: [Item],
    as node: Int64,
    in connection: Connection
  ) throws(PostgreSQLError) -> [SessionID: StoreError] {
    var parameters = Parameters(node)
    parameters.addEach(items) { $0.append.session }
    parameters.addEach(items) { $0.epoch }
    do throws(PostgreSQLError) {
      let rows = try connection.run(judging, parameters)
      var errors: [SessionID: StoreError] = [:]
      for row in rows.indices {
        errors[try rows.id(row, 0)] = rows.bool(row, 1) ? .fenced : .conflict
      }
      return errors
    } catch {
      // The others are committed: the whole must not be repeated.
      throw PostgreSQLError(kind: .lost, text: error.text)
    }
  }

  private static func parameters(
    _ items: [Item],
    as node: Int64,
    isPlain: Bool
  ) -> Parameters {
    var parameters = Parameters(node)
    parameters.addEach(items) { $0.append.session }
    parameters.addEach(items) { $0.epoch }
    parameters.addEach(items) { $0.append.after }
    parameters.addEach(items) { Int32(clamping: $0.append.entries.count) }
    parameters.addEach(items) { $0.append.entries.map(\.time).max() }
    parameters.addEach(items) { $0.append.isRunning }
    parameters.addEach(items) { $0.append.entries.last?.version }
    parameters.addEach(items) { PackedEntries($0.append.entries) }
    guard !isPlain else { return parameters }
    let heads = items.compactMap(\.append.head)
    var (head, keys) = (Int32(0), KeyColumns())
    parameters.addEach(items) { item -> Int32? in
      guard item.append.head != nil else { return nil }
      head += 1
      return head
    }
    let places = items.map { item in
      let first = keys.count + 1
      keys.add(item.append.entries)
      return (first: Int32(clamping: first), last: Int32(clamping: keys.count))
    }
    parameters.addEach(places) { $0.first }
    parameters.addEach(places) { $0.last }
    parameters.addEach(heads) { $0.sequence }
    parameters.addEach(heads) { $0.version }
    parameters.addEach(heads) { $0.format }
    parameters.addEach(heads) { NameList.bytes($0.running) }
    parameters.addEach(heads) { $0.state }
    keys.add(to: &parameters)
    return parameters
  }

  private static let plain = Statement(
    "append",
    awaitsStandby: true,
    "\(moving())\(adding)\(answer)"
  )

  private static let full = Statement(
    "append_with_heads_and_keys",
    awaitsStandby: true,
    "\(movingAll)\(answer)"
  )

  private static let withAlarms = Statement(
    "append_with_alarms",
    awaitsStandby: true,
    "\(movingAll)\(AlarmStatements.changing(from: 18 + KeyColumns.types.count))\(answer)"
  )

  private static let movingAll = """
    \(moving([("head", "int"), ("first_key", "int"), ("last_key", "int")]))\(adding), headed AS (
      UPDATE head h SET sequence = ($13::bigint[])[m.head], version = ($14::bigint[])[m.head],
        format = ($15::bigint[])[m.head], running = ($16::bytea[])[m.head], state = ($17::bytea[])[m.head]
      FROM moved m WHERE h.session = m.id AND m.head IS NOT NULL
    ), keyed AS (
      INSERT INTO key (session, \(KeyColumns.names))
      SELECT m.id, \(KeyColumns.types.enumerated().map { "($\(18 + $0)::\($1)[])[place]" }.joined(separator: ", "))
      FROM moved m CROSS JOIN LATERAL generate_series(m.first_key, m.last_key) AS place
      \(KeyColumns.replacing)
    )
    """

  // A locked row is checked again once its lock is free. The update locks rows in the order of the arrays: because of
  // the limit the planner expects few rows and looks each up by id. Arrays in the select list are read side by side
  // without being materialized.
  private static func moving(_ arrays: [(name: String, type: String)] = []) -> String {
    let wanted = [
      ("want", "bytea"), ("fence", "bigint"), ("after", "bigint"), ("entries", "int"),
      ("used", "timestamptz"), ("running", "boolean"), ("version", "bigint"), ("body", "bytea"),
    ]
    let columns = (wanted + arrays).enumerated().map { (place, array) in
      "unnest($\(2 + place)::\(array.1)[]) AS \(array.0)"
    }
    return """
      WITH moved AS (
        UPDATE session s SET sequence = w.after + w.entries, used = greatest(s.used, w.used),
          running = w.running, touched = clock_timestamp()
        FROM (SELECT \(columns.joined(separator: ", ")) LIMIT cardinality($2)) w
        WHERE s.id = w.want AND s.owner = $1 AND s.epoch = w.fence AND s.sequence = w.after
        RETURNING s.id, s.sequence, w.entries, w.version, w.body\(arrays.map { ", \($0.name)" }.joined())
      )
      """
  }

  private static let adding = """
    , added AS (
      INSERT INTO entry (session, sequence, entries, version, body)
      SELECT id, sequence, entries, version, body FROM moved WHERE entries > 0
    )
    """

  private static let answer = " SELECT string_agg(id, ''::bytea) FROM moved"

  private static let judging = Statement(
    "judge_appends",
    """
    SELECT w.id, s.id IS NOT NULL AND NOT coalesce(s.owner = $1 AND s.epoch = w.epoch, FALSE)
    FROM unnest($2::bytea[], $3::bigint[]) AS w (id, epoch) LEFT JOIN session s ON s.id = w.id
    """
  )
}

extension StoreChange.Append {
  /// Whether something was running after the last entry.
  fileprivate var isRunning: Bool {
    guard let head, head.sequence == after + entries.count else {
      return entries.last?.running.isEmpty == false
    }
    return !head.running.isEmpty
  }
}
