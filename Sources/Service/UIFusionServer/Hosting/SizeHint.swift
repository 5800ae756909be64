import Synchronization

/// The expected size of a view model's States as JSON, by the newest one.
///
/// Each session keeps the text of its current State, so the text gets little more room than it needs.
final class SizeHint: Sendable {
  private let length = Atomic(64)

  /// The capacity for a State that is a little longer.
  var capacity: Int { length.load(ordering: .relaxed) + 8 }

  /// Notes the size of a State.
  func note(_ count: Int) {
    // A store that is not needed would take the cache line from other processors.
    if count != length.load(ordering: .relaxed) { length.store(count, ordering: .relaxed) }
  }
}
