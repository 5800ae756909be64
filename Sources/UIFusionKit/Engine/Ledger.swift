/// Counts, for each delivery, the work that it started and that is not over yet.
///
/// Zero is settled. Pure: it knows neither tasks nor time.
struct Ledger {
  /// The delivery for which work is counted.
  struct Root: Hashable {
    fileprivate let number: UInt64
  }

  private var open: [Root: Int] = [:]
  private var roots: UInt64 = 0

  /// Whether nothing at all is left.
  var isIdle: Bool { open.isEmpty }

  func isSettled(_ root: Root) -> Bool {
    open[root] == nil
  }

  /// Begins to count for a new delivery, with one hold on it.
  mutating func begin() -> Root {
    roots += 1
    let root = Root(number: roots)
    open[root] = 1
    return root
  }

  /// One more piece of work has started.
  mutating func hold(_ root: Root) {
    open[root, default: 0] += 1
  }

  /// One piece of work is over; true where it was the last.
  mutating func release(_ root: Root) -> Bool {
    guard let count = open[root] else { return false }
    open[root] = count > 1 ? count - 1 : nil
    return count == 1
  }

  /// Forgets all work: nobody waits for it any more.
  mutating func clear() {
    open = [:]
  }
}
