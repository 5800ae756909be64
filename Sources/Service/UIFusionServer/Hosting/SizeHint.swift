import Synchronization

/// How long the States of a view model are as JSON, by the newest one.
///
/// A State's text is kept for as long as it is current, in each session: it is given little more room than
/// it needs.
final class SizeHint: Sendable {
  private let length = Atomic(64)

  /// Room for a State that is a little longer.
  var capacity: Int { length.load(ordering: .relaxed) + 8 }

  func note(_ count: Int) {
    // A store would take the cache line from the other processors.
    if count != length.load(ordering: .relaxed) { length.store(count, ordering: .relaxed) }
  }
}
