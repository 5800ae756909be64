import CFusionCurl
import Glibc

/// The sockets and the time that libcurl wants to be told of (curl_multi_socket_action(3)), by epoll(7): so
/// what is open and silent costs nothing.
@safe final class TransferEvents: Sendable {
  private let epoll: Int32
  /// Readable on each ring; nobody reads it, so that it is watched edge-triggered.
  private let bell: Int32
  nonisolated(unsafe) private let ready: UnsafeMutableBufferPointer<epoll_event>
  // Guard: used by the one thread that waits.
  nonisolated(unsafe) private var timer: ContinuousClock.Instant?
  // Guard: as above.

  /// Nil where the process has no descriptor left.
  init?() {
    unsafe ready = .allocate(capacity: 64)
    unsafe ready.initialize(repeating: epoll_event())
    epoll = epoll_create1(Int32(EPOLL_CLOEXEC))
    bell = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
    guard epoll >= 0, bell >= 0,
      ccurl_epoll_watch(epoll, bell, EPOLLIN.rawValue | EPOLLET.rawValue) == 0
    else { return nil }
  }

  deinit {
    if epoll >= 0 { close(epoll) }
    if bell >= 0 { close(bell) }
    unsafe ready.deallocate()
  }

  /// From here on libcurl says what it waits for.
  ///
  /// It may do so until it is cleaned up, for which time this object has to live.
  func serve(_ multi: UnsafeMutableRawPointer) {
    let own = unsafe Unmanaged.passUnretained(self).toOpaque()
    unsafe ccurl_multi_set_pointer(multi, CURLMOPT_SOCKETDATA, own)
    unsafe ccurl_multi_set_socket_function(multi, watchSocket)
    unsafe ccurl_multi_set_pointer(multi, CURLMOPT_TIMERDATA, own)
    unsafe ccurl_multi_set_timer_function(multi, setTimer)
  }

  /// Ends the wait, or the next one.
  ///
  /// Any thread.
  func ring() {
    var one: UInt64 = 1
    _ = unsafe write(bell, &one, MemoryLayout<UInt64>.size)
  }

  /// Waits until a socket is ready, libcurl's time or the other one has come, or somebody rings; then has
  /// libcurl do what there is to do.
  func wait(until time: ContinuousClock.Instant?, _ multi: UnsafeMutableRawPointer) {
    let count = unsafe epoll_wait(
      epoll,
      ready.baseAddress,
      Int32(ready.count),
      Self.milliseconds(until: [timer, time].compactMap(\.self).min())
    )
    var running: Int32 = 0
    for index in 0..<max(0, Int(count)) {
      let event = unsafe ready[index]
      let socket = unsafe event.data.fd
      if socket == bell { continue }
      unsafe curl_multi_socket_action(multi, socket, Self.flags(of: event.events), &running)
    }
    if let timer = unsafe timer, timer <= .now {
      unsafe self.timer = nil
      unsafe curl_multi_socket_action(multi, Self.timeout, 0, &running)
    }
  }

  /// CURL_SOCKET_TIMEOUT, a cast that Swift does not read.
  private static let timeout: curl_socket_t = -1

  private static func flags(of events: UInt32) -> Int32 {
    var flags: Int32 = 0
    if events & EPOLLIN.rawValue != 0 { flags |= CURL_CSELECT_IN }
    if events & EPOLLOUT.rawValue != 0 { flags |= CURL_CSELECT_OUT }
    if events & (EPOLLERR.rawValue | EPOLLHUP.rawValue) != 0 { flags |= CURL_CSELECT_ERR }
    return flags
  }

  /// In whole ones, never too early; -1 is for ever.
  private static func milliseconds(until time: ContinuousClock.Instant?) -> Int32 {
    guard let time else { return -1 }
    let left = ContinuousClock.now.duration(to: time)
    guard left > .zero else { return 0 }
    return Int32(min(left / .milliseconds(1), 3_600_000).rounded(.up))
  }

  fileprivate func watch(_ socket: curl_socket_t, for what: Int32) {
    var events: UInt32 = 0
    if what & CURL_POLL_IN != 0 { events |= EPOLLIN.rawValue }
    if what & CURL_POLL_OUT != 0 { events |= EPOLLOUT.rawValue }
    if what == CURL_POLL_REMOVE {
      _ = epoll_ctl(epoll, EPOLL_CTL_DEL, socket, nil)
    } else {
      _ = ccurl_epoll_watch(epoll, socket, events)
    }
  }

  fileprivate func callBack(inMilliseconds milliseconds: Int) {
    unsafe timer = milliseconds < 0 ? nil : .now + .milliseconds(milliseconds)
  }
}

private func events(_ context: UnsafeMutableRawPointer?) -> TransferEvents? {
  unsafe context.map { unsafe Unmanaged<TransferEvents>.fromOpaque($0).takeUnretainedValue() }
}

/// CURLMOPT_SOCKETFUNCTION.
private func watchSocket(
  _ handle: UnsafeMutableRawPointer?,
  _ socket: curl_socket_t,
  _ what: Int32,
  _ context: UnsafeMutableRawPointer?,
  _ ofSocket: UnsafeMutableRawPointer?
) -> Int32 {
  unsafe events(context)?.watch(socket, for: what)
  return 0
}

/// CURLMOPT_TIMERFUNCTION.
private func setTimer(
  _ multi: UnsafeMutableRawPointer?,
  _ milliseconds: Int,
  _ context: UnsafeMutableRawPointer?
) -> Int32 {
  unsafe events(context)?.callBack(inMilliseconds: milliseconds)
  return 0
}
