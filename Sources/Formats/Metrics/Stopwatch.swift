import Glibc

/// Measures a time in nanoseconds, from its creation on.
///
/// By the clock that `SuspendingClock` reads (clock_gettime(2), CLOCK_MONOTONIC), without the arithmetic in
/// attoseconds that a `Duration` brings along: each request is measured.
package struct Stopwatch: Sendable {
  private let start = now()

  package init() {}

  package var nanoseconds: Int { now() - start }
}

private func now() -> Int {
  var time = timespec()
  unsafe clock_gettime(CLOCK_MONOTONIC, &time)
  return time.tv_sec * 1_000_000_000 + time.tv_nsec
}
