import FusionSessions

/// What sessions have done, of many of them in one statement.
enum Appends {
  /// One that is to be stored, under the epoch in which this node has the session.
  struct Item {
    let append: StoreChange.Append
    let epoch: Int64
  }

  /// Commits those whose fence holds, all of them at once, and says of each what came of it.
  ///
  /// Of each session there is one at the most.
  static func commit(
    _ items: [Item],
    as node: Int64,
    in connection: Connection
  ) throws(PostgreSQLError) -> [StoreError?] {
    // Everybody locks in this order, so that nobody waits for one who waits for him.
    let order = items.indices.sorted { items[$0].append.session < items[$1].append.session }
    let sorted = order.map { items[$0] }
    let heads = sorted.contains { $0.append.head != nil }
    let parameters = parameters(sorted, as: node, withHeads: heads)
    let rows = try connection.run(heads ? withHeads : withoutHeads, parameters)
    guard rows.count == items.count else { throw .damaged("an answer is missing") }
    var results = [StoreError?](repeating: nil, count: items.count)
    for row in rows.indices {
      switch rows.int(row, 0) {
      case 0: break
      case 1: results[order[row]] = .conflict
      default: results[order[row]] = .fenced
      }
    }
    return results
  }

  private static func parameters(
    _ items: [Item],
    as node: Int64,
    withHeads: Bool
  ) -> Parameters {
    var parameters = Parameters()
    parameters.add(node)
    parameters.addEach(items.map(\.append.session))
    parameters.addEach(items.map(\.epoch))
    parameters.addEach(items.map(\.append.after))
    parameters.addEach(items.map { $0.append.after + $0.append.entries.count })
    parameters.addEach(items.map { $0.append.entries.map(\.time).max() })
    parameters.addEach(items.map { $0.append.isRunning })
    var entries = EntryColumns()
    for (place, item) in items.enumerated() {
      for entry in item.append.entries {
        entries.add(entry, of: item.append.session, place: place + 1)
      }
    }
    entries.add(to: &parameters)
    guard withHeads else { return parameters }
    let heads = items.enumerated().compactMap { (place, item) in
      item.append.head.map { (place: place + 1, id: item.append.session, head: $0) }
    }
    parameters.addEach(heads.map(\.place))
    parameters.addEach(heads.map(\.id))
    parameters.addEach(heads.map(\.head.sequence))
    parameters.addEach(heads.map(\.head.version))
    parameters.addEach(heads.map(\.head.format))
    parameters.addEach(heads.map { NameList.bytes($0.head.running) })
    parameters.addEach(heads.map(\.head.state))
    return parameters
  }

  private static let withoutHeads = Statement("append", "\(moving)\(answer)")
  private static let withHeads = Statement("append_with_heads", "\(moving)\(headed)\(answer)")

  // A row is locked before it is judged: what others have committed until then is seen.
  private static let moving = """
    WITH want AS MATERIALIZED (
      SELECT * FROM unnest($2::bytea[], $3::bigint[], $4::bigint[], $5::bigint[], $6::timestamptz[],
        $7::boolean[]) WITH ORDINALITY AS w (id, epoch, after, last, used, running, place)
    ), seen AS MATERIALIZED (
      SELECT w.*, s.is_there, coalesce(s.owner = $1 AND s.epoch = w.epoch, FALSE) AS is_own,
        s.sequence = w.after AS fits
      FROM want w LEFT JOIN LATERAL (
        SELECT TRUE AS is_there, owner, epoch, sequence FROM session WHERE id = w.id
        FOR NO KEY UPDATE
      ) s ON TRUE ORDER BY w.place
    ), moved AS (
      UPDATE session s SET sequence = w.last, used = greatest(s.used, w.used), running = w.running,
        touched = clock_timestamp()
      FROM seen w WHERE s.id = w.id AND w.is_own AND w.fits
    ), verdict AS MATERIALIZED (
      SELECT array_agg(is_own AND fits ORDER BY place) AS stands FROM seen
    ), added AS (
      INSERT INTO entry (session, \(EntryColumns.names))
      SELECT e.session, \(EntryColumns.names)
      FROM unnest(\(EntryColumns.parameters(from: 8))) AS e (place, session, \(EntryColumns.names)),
        verdict
      WHERE verdict.stands[e.place]
    )
    """

  private static let headed = """
    , headed AS (
      UPDATE head h SET sequence = w.sequence, version = w.version, format = w.format,
        running = w.running, state = w.state
      FROM unnest($24::bigint[], $25::bytea[], $26::bigint[], $27::bigint[], $28::bigint[],
        $29::bytea[], $30::bytea[]) AS w (place, id, sequence, version, format, running, state),
        verdict
      WHERE h.session = w.id AND verdict.stands[w.place]
    )
    """

  private static let answer = """

    SELECT CASE WHEN is_own AND fits THEN 0 WHEN is_there AND NOT is_own THEN 2 ELSE 1 END::bigint
    FROM seen ORDER BY place
    """
}

extension StoreChange.Append {
  /// Whether something was running when all of it was done.
  fileprivate var isRunning: Bool {
    guard let head, head.sequence == after + entries.count else {
      return entries.last?.running.isEmpty == false
    }
    return !head.running.isEmpty
  }
}
