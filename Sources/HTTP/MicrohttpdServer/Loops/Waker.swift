import CFusionMicrohttpd
import Glibc
import Synchronization

/// Wakes a thread that waits for events, from any other.
///
/// However often it is asked before the thread looks, that thread is woken once; and where it does not
/// rest, no system call is made: so none is ever made on the thread itself.
final class Waker: Sendable {
  private enum State: UInt8, AtomicRepresentable {
    /// The thread is at work, and nobody has asked since it looked last.
    case quiet
    case asked
    /// The thread waits for events, or is about to.
    case resting
  }

  /// Readable on each wake; nobody reads it, so that it has to be watched edge-triggered.
  let descriptor: Int32
  private let state = Atomic(State.quiet)

  /// Nil where the process has no descriptor left.
  init?() {
    descriptor = eventfd(0, closeOnExec)
    guard descriptor >= 0 else { return nil }
  }

  deinit {
    close(descriptor)
  }

  /// Any thread, once what the other is to find is there.
  func wake() {
    guard state.exchange(.asked, ordering: .acquiringAndReleasing) == .resting else { return }
    var one: UInt64 = 1
    _ = unsafe write(descriptor, &one, MemoryLayout<UInt64>.size)
  }

  /// Whether the thread may wait: not where it was asked since it looked last.
  func rest() -> Bool {
    state.compareExchange(expected: .quiet, desired: .resting, ordering: .acquiringAndReleasing)
      .exchanged
  }

  /// To be called before the thread looks at what others may have put there.
  func look() {
    _ = state.exchange(.quiet, ordering: .acquiringAndReleasing)
  }
}

private let closeOnExec = Int32(EFD_CLOEXEC | EFD_NONBLOCK)
