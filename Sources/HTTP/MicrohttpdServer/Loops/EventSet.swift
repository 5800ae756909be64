import CFusionMicrohttpd
import Glibc

/// The descriptors that one thread waits for (epoll(7)).
///
/// Each is added with a token, by which its events are told apart.
@safe final class EventSet: Sendable {
  struct Interest: OptionSet {
    let rawValue: UInt32
    static let input = Interest(rawValue: EPOLLIN.rawValue)
    static let output = Interest(rawValue: EPOLLOUT.rawValue)
    /// The peer sends no more.
    static let ending = Interest(rawValue: EPOLLRDHUP.rawValue)
    static let edges = Interest(rawValue: EPOLLET.rawValue)
    /// Of all threads that wait for this descriptor, one is woken.
    static let exclusive = Interest(rawValue: EPOLLEXCLUSIVE.rawValue)
  }

  private let descriptor: Int32
  nonisolated(unsafe) private let ready: UnsafeMutableBufferPointer<epoll_event>
  // Guard: used by the one thread that waits.

  /// Nil where the process has no descriptor left.
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

  /// False where the system refuses.
  func add(_ descriptor: Int32, _ interest: Interest, token: UInt64) -> Bool {
    cmhd_epoll_add(self.descriptor, descriptor, interest.rawValue, token) == 0
  }

  func remove(_ descriptor: Int32) {
    _ = epoll_ctl(self.descriptor, EPOLL_CTL_DEL, descriptor, nil)
  }

  /// Waits for `milliseconds` at the most; -1 is for ever.
  ///
  /// Then calls `body` for each descriptor that is ready, for none where the time has passed or a signal
  /// came; `isEnding` where its peer has closed, or was lost.
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

/// The last two come unasked.
private let end = EPOLLRDHUP.rawValue | EPOLLHUP.rawValue | EPOLLERR.rawValue
