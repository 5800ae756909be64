import CFusionPostgreSQL
import FusionSessions

/// The entries of one append in one value, as a row of `entry` stores them.
///
/// Numbers are big-endian, as PostgreSQL's `int8send` writes them. Values of variable length follow the count of their
/// bytes; a missing key has the count -1. Sequences are not included: the row has that of the last entry.
struct PackedEntries: ParameterValue {
  static var type: Oid { [UInt8].type }
  static var arrayType: Oid { [UInt8].arrayType }

  let entries: [LogEntry]

  init(_ entries: [LogEntry]) {
    self.entries = entries
  }

  func write(to bytes: inout [UInt8]) {
    for entry in entries {
      entry.time.write(to: &bytes)
      entry.version.write(to: &bytes)
      bytes.append(entry.kind)
      Self.add(entry.outcome.bytes, to: &bytes)
      Self.add(entry.running.bytes, to: &bytes)
      Self.add(entry.trace, to: &bytes)
      guard let key = entry.key else {
        Int32(-1).write(to: &bytes)
        continue
      }
      Self.add(key.key.utf8, to: &bytes)
      key.time.write(to: &bytes)
      Self.add(key.digest, to: &bytes)
      bytes.append(key.answer.rawValue)
      for number in [key.processed, key.count, key.version] { number.write(to: &bytes) }
    }
  }

  private static func add(_ value: some Collection<UInt8>, to bytes: inout [UInt8]) {
    Int32(clamping: value.count).write(to: &bytes)
    bytes += value
  }
}

// MARK: Reading

extension PackedEntries {
  /// Reads a number of entries, given the sequence of the last one.
  init(_ bytes: [UInt8], count: Int, last: Int) throws(PostgreSQLError) {
    var reader = Reader(rest: bytes[...])
    var entries: [LogEntry] = []
    for place in 0..<max(0, count) {
      guard let entry = reader.entry(last - count + 1 + place) else {
        throw .damaged("the entries up to \(last) cannot be read")
      }
      entries.append(entry)
    }
    guard reader.rest.isEmpty else {
      throw .damaged("there is more than the entries up to \(last)")
    }
    self.entries = entries
  }

  /// A reader that returns nil for missing or malformed content.
  private struct Reader {
    var rest: ArraySlice<UInt8>

    mutating func entry(_ sequence: Int) -> LogEntry? {
      guard
        let time = time(), let version = number(), let kind = byte(),
        let outcome = value().flatMap({ LogEntry.Outcome(kind: kind, $0) }),
        let running = value().flatMap({ RunningNames(kind: kind, $0) }), let trace = value(),
        let name = optional()
      else { return nil }
      var entry = LogEntry(
        sequence: sequence,
        version: version,
        time: time,
        outcome: outcome,
        running: running,
        trace: trace
      )
      guard let name else { return entry }
      guard
        let time = self.time(), let digest = value(),
        let answer = byte().flatMap(KeyProgress.Answer.init(rawValue:)),
        let processed = number(), let count = number(), let version = number()
      else { return nil }
      entry.key = KeyProgress(
        key: String(decoding: name, as: UTF8.self),
        digest: digest,
        answer: answer,
        processed: processed,
        count: count,
        version: version,
        time: time
      )
      return entry
    }

    private mutating func time() -> WallTime? {
      take(8).map { WallTime(microsecondsOfPostgreSQL: Int64(bigEndian: $0)) }
    }

    private mutating func number() -> Int? {
      take(8).map { Int(Int64(bigEndian: $0)) }
    }

    private mutating func byte() -> UInt8? { rest.popFirst() }

    private mutating func value() -> [UInt8]? { optional().flatMap { $0 } }

    /// Reads a value; the inner nil stands for a count of -1.
    private mutating func optional() -> [UInt8]?? {
      guard let count = take(4).map({ Int(Int32(bigEndian: $0)) }) else { return nil }
      if count == -1 { return .some(nil) }
      return take(count).map { Array($0) }
    }

    private mutating func take(_ count: Int) -> ArraySlice<UInt8>? {
      guard count >= 0, count <= rest.count else { return nil }
      defer { rest = rest.dropFirst(count) }
      return rest.prefix(count)
    }
  }
}

extension FixedWidthInteger {
  fileprivate init(bigEndian bytes: ArraySlice<UInt8>) {
    self = bytes.reduce(0) { $0 << 8 | Self(truncatingIfNeeded: $1) }
  }
}
