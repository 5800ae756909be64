import Synchronization

/// Whether the process may take more memory; set by the service, which measures.
///
/// While memory is short, sessions sleep a second after their last use. While it is full, what would take more is
/// refused: new sessions, sessions whose State is not small, and long requests. Small requests go on, and every session
/// can be deleted.
package final class MemoryGauge: Sendable {
  /// The most bytes of a small State as JSON, and of a small request's body.
  package static let smallSize = 2_048

  /// The limit in bytes; nil if there is none.
  package let limit: Int?
  private let short = Atomic(false)
  private let full = Atomic(false)

  init(limit: Int?) {
    self.limit = limit
  }

  /// Throws if memory is full.
  func requireRoom() throws(MemoryFull) {
    if isFull { throw MemoryFull(limit: limit ?? 0) }
  }

  /// Throws if memory is full, unless a State or a body of so many bytes is small.
  package func requireRoom(for size: Int) throws(MemoryFull) {
    if size > Self.smallSize { try requireRoom() }
  }

  package var isFull: Bool { full.load(ordering: .relaxed) }

  /// Whether memory is short; also true while it is full.
  package var isShort: Bool { isFull || short.load(ordering: .relaxed) }

  package func set(isShort: Bool = false, isFull: Bool) {
    short.store(isShort, ordering: .relaxed)
    full.store(isFull, ordering: .relaxed)
  }
}

/// The failure to take more memory than the limit, in bytes.
package struct MemoryFull: Error {
  package let limit: Int
}
