import Synchronization

/// Whether the process has about as much memory in use as it may: set from outside, which measures.
///
/// While it is short, sessions sleep a second after somebody was there. While it is full, what would take
/// more is refused: new sessions, sessions whose State is not small, and long requests. What is small goes
/// on, and all can be deleted.
package final class MemoryGauge: Sendable {
  /// A State of no more bytes as JSON counts as small, and so does a request with no more in its body.
  package static let smallSize = 2_048

  /// In bytes; nil where nothing is limited.
  package let limit: Int?
  private let short = Atomic(false)
  private let full = Atomic(false)

  init(limit: Int?) {
    self.limit = limit
  }

  /// Refuses what would take more while there is none to take.
  func requireRoom() throws(MemoryFull) {
    if isFull { throw MemoryFull(limit: limit ?? 0) }
  }

  /// Refuses a State or a body of so many bytes, unless it is small, while there is none to take.
  package func requireRoom(for size: Int) throws(MemoryFull) {
    if size > Self.smallSize { try requireRoom() }
  }

  package var isFull: Bool { full.load(ordering: .relaxed) }

  /// While it is full it is short as well.
  package var isShort: Bool { isFull || short.load(ordering: .relaxed) }

  package func set(isShort: Bool = false, isFull: Bool) {
    short.store(isShort, ordering: .relaxed)
    full.store(isFull, ordering: .relaxed)
  }
}

/// The process has as much memory in use as it may: so many bytes.
package struct MemoryFull: Error {
  package let limit: Int
}
