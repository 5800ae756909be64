import CFusionMicrohttpd
import Glibc

// What the library calls, each on the thread of the loop that the connection belongs to. They
// recover the object behind a pointer and call it; nothing here throws, traps or waits.

/// The library's own messages, one line each.
func logMessage(_ cls: UnsafeMutableRawPointer?, _ text: UnsafePointer<CChar>?) {
  guard let cls = unsafe cls, let text = unsafe text else { return }
  var message = unsafe String(cString: text)
  if message.hasSuffix("\n") { message.removeLast() }
  unsafe Unmanaged<EventLoop>.fromOpaque(cls)._withUnsafeGuaranteedRef { loop in
    if unsafe !loop.isTakingOver { loop.context.log(message) }
  }
}

/// MHD_NotifyConnectionCallback.
///
/// The socket's context owns a reference from start to close.
func notifyConnection(
  _ cls: UnsafeMutableRawPointer?,
  _ handle: OpaquePointer?,
  _ socketContext: UnsafeMutablePointer<UnsafeMutableRawPointer?>?,
  _ code: MHD_ConnectionNotificationCode
) {
  guard let handle = unsafe handle, let cls = unsafe cls else { return }
  switch code {
  case .CONNECTION_NOTIFY_STARTED:
    let loop = unsafe Unmanaged<EventLoop>.fromOpaque(cls).takeUnretainedValue()
    let connection = unsafe Connection(handle, loop)
    unsafe socketContext?.pointee = Unmanaged.passRetained(connection).toOpaque()
    connection.open()
  case .CONNECTION_NOTIFY_CLOSED:
    guard let own = unsafe socketContext?.pointee else { return }
    unsafe socketContext?.pointee = nil
    unsafe Unmanaged<Connection>.fromOpaque(own).takeRetainedValue().closed()
  }
}

/// The URI log callback; what it returns is the request's context in the calls that follow.
func beginRequest(
  _ cls: UnsafeMutableRawPointer?,
  _ target: UnsafePointer<CChar>?,
  _ handle: OpaquePointer?
) -> UnsafeMutableRawPointer? {
  guard let handle = unsafe handle, let own = unsafe cmhd_socket_context(handle) else { return nil }
  let target = unsafe bytes(target, target.map { unsafe strlen($0) } ?? 0)
  unsafe Unmanaged<Connection>.fromOpaque(own)._withUnsafeGuaranteedRef { connection in
    unsafe connection.begin(target: target)
  }
  unsafe hideQuery(target)
  return unsafe own
}

/// Keeps the library from taking the query apart, which is ours to do: it would put each argument in
/// the connection's memory, and answer nothing once that is full (some 115 of them).
private func hideQuery(_ target: UnsafeBufferPointer<UInt8>) {
  guard let mark = unsafe target.firstIndex(of: UInt8(ascii: "?")), mark + 1 < target.count else {
    return
  }
  // The library has found the mark already, and takes what follows as a C string: an empty one.
  // Guard: its own memory, which it goes on to change in the same way, on this very thread.
  unsafe UnsafeMutableBufferPointer(mutating: target)[mark + 1] = 0
}

/// MHD_AccessHandlerCallback: the head, then each part of the body, then the end; and once more when a
/// suspended connection was resumed.
func access(
  _ cls: UnsafeMutableRawPointer?,
  _ handle: OpaquePointer?,
  _ url: UnsafePointer<CChar>?,
  _ method: UnsafePointer<CChar>?,
  _ version: UnsafePointer<CChar>?,
  _ data: UnsafePointer<CChar>?,
  _ size: UnsafeMutablePointer<Int>?,
  _ request: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
) -> MHD_Result {
  guard let own = unsafe request?.pointee, let size = unsafe size else { return .NO }
  let part = unsafe bytes(data, size.pointee)
  // All of a part is taken, always: what is left over would be offered again without end.
  unsafe size.pointee = 0
  let isGood = unsafe Unmanaged<Connection>.fromOpaque(own)._withUnsafeGuaranteedRef { connection in
    switch unsafe connection.step {
    case .head: return unsafe connection.readHead(RequestLine(url, method, version))
    case .body: return unsafe part.isEmpty ? connection.answer() : connection.receive(part)
    case .discarding(let count):
      return unsafe part.isEmpty
        ? connection.rejectBody() : connection.discard(part, after: count)
    case .handled: return connection.conclude()
    }
  }
  return isGood ? .YES : .NO
}

/// MHD_RequestCompletedCallback.
func notifyCompleted(
  _ cls: UnsafeMutableRawPointer?,
  _ handle: OpaquePointer?,
  _ request: UnsafeMutablePointer<UnsafeMutableRawPointer?>?,
  _ code: MHD_RequestTerminationCode
) {
  guard let own = unsafe request?.pointee else { return }
  unsafe Unmanaged<Connection>.fromOpaque(own)._withUnsafeGuaranteedRef { $0.complete() }
}

/// UnescapeCallback: targets are split before they are decoded, and decoded once, elsewhere.
func leaveEscaped(
  _ cls: UnsafeMutableRawPointer?,
  _ handle: OpaquePointer?,
  _ text: UnsafeMutablePointer<CChar>?
) -> Int {
  unsafe text.map { unsafe strlen($0) } ?? 0
}
