import FusionSessions

/// The callers that wait to see a session.
struct SessionFeedWaiters {
  struct Waiter: Sendable {
    let number: Int
    let use: SessionFeedUse
    /// Until when he waits while the session is looked for.
    let deadline: Duration
    /// The version from which on he may see it.
    var version: Int
    let done: @Sendable (SessionFeedProxy.Opening) -> Void
  }

  private var waiters: [Waiter] = []
  private var numbers = 0

  /// Returns his number.
  @discardableResult
  mutating func add(
    _ use: SessionFeedUse,
    until deadline: Duration,
    from version: Int = 0,
    _ done: @escaping @Sendable (SessionFeedProxy.Opening) -> Void
  ) -> Int {
    numbers += 1
    waiters.append(
      Waiter(number: numbers, use: use, deadline: deadline, version: version, done: done)
    )
    return numbers
  }

  mutating func take(where isMeant: (Waiter) -> Bool) -> [Waiter] {
    let taken = waiters.filter(isMeant)
    if !taken.isEmpty { waiters.removeAll(where: isMeant) }
    return taken
  }

  /// There is no later version than this one for him to wait for.
  mutating func expect(_ version: Int, for number: Int) {
    guard let index = waiters.firstIndex(where: { $0.number == number }) else { return }
    waiters[index].version = min(waiters[index].version, version)
  }

  /// Makes every waiter take the next snapshot, whatever version was seen before.
  mutating func expectAny() {
    for index in waiters.indices { waiters[index].version = 0 }
  }
}
