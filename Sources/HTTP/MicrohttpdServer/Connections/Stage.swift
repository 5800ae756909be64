import Glibc
import Synchronization

/// Where a connection is in its life, and since when: what the deadlines and the stop look at.
///
/// One word, written by the connection's loop and read by the sweeper without a lock.
struct Stage: RawRepresentable, AtomicRepresentable, Equatable, Sendable {
  enum Kind: UInt64, Sendable {
    /// Accepted; nothing has come yet.
    case fresh
    /// An answer has gone out; nothing of a next request was noticed.
    case kept
    /// A request's head is arriving.
    case head
    /// A request's body is arriving.
    case body
    /// A request is complete and has no answer yet.
    case answering
    /// The answer, other than a stream, is on its way out.
    case sending
    /// The answer is a stream.
    case streaming
  }

  let rawValue: UInt64

  init(rawValue: UInt64) {
    self.rawValue = rawValue
  }

  init(_ kind: Kind, since time: Milliseconds) {
    rawValue = time << 3 | kind.rawValue
  }

  var kind: Kind { Kind(rawValue: rawValue & 7) ?? .answering }
  var since: Milliseconds { rawValue >> 3 }
}

/// Time on the system's monotonic clock.
typealias Milliseconds = UInt64

/// The time, to within a timer tick; cheap enough to be asked several times per request.
func coarseNow() -> Milliseconds {
  var time = timespec()
  _ = unsafe clock_gettime(CLOCK_MONOTONIC_COARSE, &time)
  return Milliseconds(time.tv_sec) * 1000 + Milliseconds(time.tv_nsec) / 1_000_000
}
