/// What the log has of a session beyond its head, and where.
struct UncoveredEntries {
  let session: Int64
  /// The number of the newest entry.
  private(set) var sequence: Int
  /// The time of the newest entry, in milliseconds since 1970.
  private(set) var time: Int64
  /// Where the entries stand, in order.
  private(set) var positions: [Int64] = []
  /// Those of `positions` whose entries carry a key.
  private(set) var keyed: [Int64] = []

  init(of session: Int64, after sequence: Int, at time: Int64) {
    self.session = session
    self.sequence = sequence
    self.time = time
  }

  mutating func append(at position: Int64, time: Int64, hasKey: Bool) {
    sequence += 1
    self.time = time
    positions.append(position)
    if hasKey { keyed.append(position) }
  }

  /// Forgets the entries up to a number, which a head now covers, and says where they stand.
  mutating func cover(upTo number: Int) -> (positions: [Int64], keyed: [Int64]) {
    let open = max(0, sequence - number)
    let covered = Array(positions.dropLast(open))
    positions.removeFirst(covered.count)
    let keys = keyed.prefix { $0 <= covered.last ?? 0 }
    keyed.removeFirst(keys.count)
    return (covered, Array(keys))
  }
}
