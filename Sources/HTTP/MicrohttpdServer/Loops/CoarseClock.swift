import Glibc

/// Milliseconds on the system's monotonic clock.
typealias Milliseconds = UInt64

/// Returns the time to within a timer tick; cheap enough to be called several times per request.
func coarseNow() -> Milliseconds {
  var time = timespec()
  _ = unsafe clock_gettime(CLOCK_MONOTONIC_COARSE, &time)
  return Milliseconds(time.tv_sec) * 1000 + Milliseconds(time.tv_nsec) / 1_000_000
}

extension Duration {
  /// The duration in milliseconds, rounded up and at least one.
  var milliseconds: Milliseconds {
    let (seconds, attoseconds) = components
    guard seconds >= 0 else { return 1 }
    let fraction = (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000
    return max(1, Milliseconds(clamping: seconds) * 1000 + Milliseconds(clamping: fraction))
  }
}
