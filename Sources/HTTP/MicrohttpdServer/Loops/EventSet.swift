import CFusionMicrohttpd
import Glibc
import Synchronization

/// The descriptors that one thread waits for (epoll(7)), each with a token that identifies its events.
@safe final class EventSet: Sendable {
  struct Interest: OptionSet {
    let rawValue: UInt32
    static let input = Interest(rawValue: EPOLLIN.rawValue)
    static let output = Interest(rawValue: EPOLLOUT.rawValue)
    /// The peer has stopped sending (EPOLLRDHUP).
    static let ending = Interest(rawValue: EPOLLRDHUP.rawValue)
    static let edges = Interest(rawValue: EPOLLET.rawValue)
    /// Wakes only one of the threads that wait for this descriptor.
    static let exclusive = Interest(rawValue: EPOLLEXCLUSIVE.rawValue)
  }

  private let descriptor: Int32
  nonisolated(unsafe) private let ready: UnsafeMutableBufferPointer<epoll_event>
  // Guard: used only by the waiting thread.

  /// Opens a descriptor; nil if none is left.
  init?() {
    unsafe ready = .allocate(capacity: 128)
    unsafe ready.initialize(repeating: epoll_event())
    descriptor = epoll_create1(Int32(EPOLL_CLOEXEC))
    guard descriptor >= 0 else { return nil }
  }

  deinit {
    close(descriptor)
    unsafe ready.deallocate()
  }

  /// Adds a descriptor; returns false if the system refuses.
  func add(_ descriptor: Int32, _ interest: Interest, token: UInt64) -> Bool {
    cmhd_epoll_add(self.descriptor, descriptor, interest.rawValue, token) == 0
  }

  func remove(_ descriptor: Int32) {
    _ = epoll_ctl(self.descriptor, EPOLL_CTL_DEL, descriptor, nil)
  }

  /// Waits for at most `milliseconds`, or without a limit for -1, and calls `body` for each ready descriptor.
  ///
  /// Does not call `body` after a timeout or a signal. `isEnding` tells that the peer closed the connection
  /// or was lost.
  func wait(milliseconds: Int32, _ body: (_ token: UInt64, _ isEnding: Bool) -> Void) {
    let count = unsafe epoll_wait(
      descriptor,
      ready.baseAddress,
      Int32(ready.count),
      milliseconds
    )
    for index in 0..<max(0, Int(count)) {
      let event = unsafe ready[index]
      unsafe body(event.data.u64, event.events & end != 0)
    }
  }
}

/// The kernel always reports the last two.
private let end = EPOLLRDHUP.rawValue | EPOLLHUP.rawValue | EPOLLERR.rawValue

/// Wakes a thread that waits for events, from any other thread.
///
/// Wakes the thread once, however often `wake` is called before the thread looks. Makes no system call while
/// the thread is working; in particular, none on the thread itself.
final class Waker: Sendable {
  private enum State: UInt8, AtomicRepresentable {
    /// The thread is working, and `wake` was not called since its last look.
    case quiet
    case asked
    /// The thread waits for events, or is about to.
    case resting
  }

  /// A descriptor that becomes readable on each wake; it is never read, so it must be watched edge-triggered.
  let descriptor: Int32
  private let state = Atomic(State.quiet)

  /// Opens a descriptor; nil if none is left.
  init?() {
    descriptor = eventfd(0, closeOnExec)
    guard descriptor >= 0 else { return nil }
  }

  deinit {
    close(descriptor)
  }

  /// Wakes the thread.
  ///
  /// Any thread; call it after storing the work for the woken thread.
  func wake() {
    guard state.exchange(.asked, ordering: .acquiringAndReleasing) == .resting else { return }
    var one: UInt64 = 1
    _ = unsafe write(descriptor, &one, MemoryLayout<UInt64>.size)
  }

  /// Notes that the thread is about to wait; returns false if `wake` was called since its last look.
  func rest() -> Bool {
    state.compareExchange(expected: .quiet, desired: .resting, ordering: .acquiringAndReleasing)
      .exchanged
  }

  /// Notes that the thread is working; call it before looking for stored work.
  func look() {
    _ = state.exchange(.quiet, ordering: .acquiringAndReleasing)
  }
}

private let closeOnExec = Int32(EFD_CLOEXEC | EFD_NONBLOCK)

/// Milliseconds on the system's monotonic clock.
typealias Milliseconds = UInt64

/// Returns the time to within a timer tick; cheap enough for several calls per request.
func coarseNow() -> Milliseconds {
  var time = timespec()
  _ = unsafe clock_gettime(CLOCK_MONOTONIC_COARSE, &time)
  return Milliseconds(time.tv_sec) * 1000 + Milliseconds(time.tv_nsec) / 1_000_000
}

extension Duration {
  /// The duration in milliseconds, rounded up, at least one and at most some 30,000 years, so that it can be added to a
  /// time and multiplied.
  var milliseconds: Milliseconds {
    let (whole, rest) = attoseconds.quotientAndRemainder(dividingBy: 1_000_000_000_000_000)
    return Milliseconds(max(1, min(whole + rest.signum(), 1_000_000_000_000_000)))
  }
}
