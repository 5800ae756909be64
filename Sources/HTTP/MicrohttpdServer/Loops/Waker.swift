import CFusionMicrohttpd
import Glibc
import Synchronization

/// A way to wake a thread that waits for events, from any other thread.
///
/// Wakes the thread once, however often it is asked before the thread looks. Makes no system call while the thread is
/// at work; in particular, none on the thread itself.
final class Waker: Sendable {
  private enum State: UInt8, AtomicRepresentable {
    /// The thread is at work, and nobody has called `wake` since it looked last.
    case quiet
    case asked
    /// The thread waits for events, or is about to.
    case resting
  }

  /// A descriptor that becomes readable on each wake; never read, so it has to be watched edge-triggered.
  let descriptor: Int32
  private let state = Atomic(State.quiet)

  /// Nil if the process has no descriptor left.
  init?() {
    descriptor = eventfd(0, closeOnExec)
    guard descriptor >= 0 else { return nil }
  }

  deinit {
    close(descriptor)
  }

  /// Wakes the thread.
  ///
  /// Any thread; call it after storing what the woken thread is to find.
  func wake() {
    guard state.exchange(.asked, ordering: .acquiringAndReleasing) == .resting else { return }
    var one: UInt64 = 1
    _ = unsafe write(descriptor, &one, MemoryLayout<UInt64>.size)
  }

  /// Notes that the thread is about to wait; returns false if somebody has called `wake` since it looked last.
  func rest() -> Bool {
    state.compareExchange(expected: .quiet, desired: .resting, ordering: .acquiringAndReleasing)
      .exchanged
  }

  /// Notes that the thread is at work; to be called before it looks for what others have stored.
  func look() {
    _ = state.exchange(.quiet, ordering: .acquiringAndReleasing)
  }
}

private let closeOnExec = Int32(EFD_CLOEXEC | EFD_NONBLOCK)
