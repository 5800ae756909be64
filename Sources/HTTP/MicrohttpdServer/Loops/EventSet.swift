import CFusionMicrohttpd
import Glibc

/// The descriptors that one thread waits for (epoll(7)), each with a token that identifies its events.
@safe final class EventSet: Sendable {
  struct Interest: OptionSet {
    let rawValue: UInt32
    static let input = Interest(rawValue: EPOLLIN.rawValue)
    static let output = Interest(rawValue: EPOLLOUT.rawValue)
    /// The peer sends no more (EPOLLRDHUP).
    static let ending = Interest(rawValue: EPOLLRDHUP.rawValue)
    static let edges = Interest(rawValue: EPOLLET.rawValue)
    /// Wakes one of the threads that wait for this descriptor, not all.
    static let exclusive = Interest(rawValue: EPOLLEXCLUSIVE.rawValue)
  }

  private let descriptor: Int32
  nonisolated(unsafe) private let ready: UnsafeMutableBufferPointer<epoll_event>
  // Guard: used only by the thread that waits.

  /// Nil if the process has no descriptor left.
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

  /// Waits for at most `milliseconds`, or without a limit for -1, and calls `body` for each descriptor that is ready.
  ///
  /// Calls `body` for none if the time has passed or a signal came. `isEnding` says that the peer has closed, or was
  /// lost.
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

/// The kernel reports the last two without being asked.
private let end = EPOLLRDHUP.rawValue | EPOLLHUP.rawValue | EPOLLERR.rawValue
