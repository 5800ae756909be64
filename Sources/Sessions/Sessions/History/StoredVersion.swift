/// A version of a session's State, as the log tells of it.
package struct StoredVersion: Sendable, Equatable {
  package var number: Int
  /// The time at which it came.
  package var time: WallTime
  /// The number of its entries: the one that made it, and those that left State unchanged.
  package var entries: Int
  /// The bytes of the change.
  package var size: Int
  /// The Inputs and Actions of its entries: JSON, an object a line.
  package var trace: [UInt8]
  /// Whether ``trace`` is cut, as it would be too long.
  package var isCut = false
}

/// A page of a session's versions, newest first.
package struct StoredVersions: Sendable, Equatable {
  /// The bytes of traces that one page has.
  static let traceLimit = 1 << 20

  package var viewModel: String
  package var versions: [StoredVersion] = []
  /// The number below which the next page begins; nil if this is the last page.
  package var next: Int?
  private var traceSize = 0

  init(of viewModel: String) { self.viewModel = viewModel }

  /// Adds an entry that comes before the ones added; returns false if it would be one version too many.
  fileprivate mutating func add(_ entry: LogEntry, limit: Int) -> Bool {
    if versions.last?.number != entry.version {
      guard versions.count < limit else {
        next = versions.last?.number
        return false
      }
      versions.append(
        StoredVersion(number: entry.version, time: entry.time, entries: 0, size: 0, trace: [])
      )
    }
    let last = versions.count - 1
    versions[last].time = entry.time
    versions[last].entries += 1
    versions[last].size += entry.outcome.bytes.count
    if traceSize + entry.trace.count > Self.traceLimit {
      versions[last].isCut = true
    } else {
      traceSize += entry.trace.count
      versions[last].trace = entry.trace + versions[last].trace
    }
    return true
  }
}

extension SessionArchive {
  /// Reads a page of a session's versions, below a number if one is given; nil if there is no session.
  package func versions(
    of id: SessionID,
    below number: Int?,
    limit: Int
  ) throws(StoreError) -> StoredVersions? {
    guard let session = try load(id) else { return nil }
    let head = session.head
    var page = StoredVersions(of: session.viewModel)
    var oldest: Int?
    try readBack(id, from: number.map { .version($0 - 1) } ?? .newest) { entry in
      oldest = entry.sequence
      return page.add(entry, limit: limit)
    }
    // The State before the oldest entry is in no entry.
    let isBefore = oldest.map { $0 == head.sequence + 1 } ?? true
    if page.next == nil, isBefore, number.map({ head.version < $0 }) != false {
      if page.versions.last?.number != head.version {
        _ = page.add(session.headEntry, limit: limit)
      }
    }
    return page
  }
}
