import Synchronization

/// A number that only grows: one atomic addition each time.
package final class Counter: Sendable {
  private let count = Atomic<Int>(0)

  package init() {}

  package func add(_ more: Int = 1) {
    count.add(more, ordering: .relaxed)
  }

  package var value: Int { count.load(ordering: .relaxed) }
}
