import CFusionMicrohttpd
import Glibc

// The functions that the library calls, each on the thread of the connection's loop. They recover an object
// from a pointer and call it; none throws, traps or waits.

/// The object behind the library's pointer for callbacks without a connection.
final class CallbackContext: Sendable {
  let loop: EventLoop
  let registry: ConnectionRegistry

  init(_ loop: EventLoop, _ registry: ConnectionRegistry) {
    self.loop = loop
    self.registry = registry
  }
}

/// Logs a message from the library.
func logMessage(_ cls: UnsafeMutableRawPointer?, _ text: UnsafePointer<CChar>?) {
  guard let cls = unsafe cls, let text = unsafe text else { return }
  var message = unsafe String(cString: text)
  if message.hasSuffix("\n") { message.removeLast() }
  unsafe Unmanaged<CallbackContext>.fromOpaque(cls)._withUnsafeGuaranteedRef { context in
    if !context.loop.local.isTakingOver { context.loop.context.settings.log(message) }
  }
}

/// MHD_NotifyConnectionCallback; the socket's context owns a reference from start to close.
func notifyConnection(
  _ cls: UnsafeMutableRawPointer?,
  _ handle: OpaquePointer?,
  _ socketContext: UnsafeMutablePointer<UnsafeMutableRawPointer?>?,
  _ code: MHD_ConnectionNotificationCode
) {
  guard let handle = unsafe handle, let cls = unsafe cls else { return }
  switch code {
  case .CONNECTION_NOTIFY_STARTED:
    let context = unsafe Unmanaged<CallbackContext>.fromOpaque(cls).takeUnretainedValue()
    let connection = unsafe Connection(handle, context.loop, context.registry)
    unsafe socketContext?.pointee = Unmanaged.passRetained(connection).toOpaque()
    connection.open()
  case .CONNECTION_NOTIFY_CLOSED:
    guard let own = unsafe socketContext?.pointee else { return }
    unsafe socketContext?.pointee = nil
    unsafe Unmanaged<Connection>.fromOpaque(own).takeRetainedValue().closed()
  }
}

/// The URI log callback; its result is the request's context in later calls.
func beginRequest(
  _ cls: UnsafeMutableRawPointer?,
  _ target: UnsafePointer<CChar>?,
  _ handle: OpaquePointer?
) -> UnsafeMutableRawPointer? {
  guard let handle = unsafe handle, let own = unsafe cmhd_socket_context(handle) else { return nil }
  let target = unsafe bytes(of: target)
  unsafe Unmanaged<Connection>.fromOpaque(own)._withUnsafeGuaranteedRef { connection in
    unsafe connection.begin(target: target)
  }
  unsafe HiddenQuery.cut(target)
  return unsafe own
}

/// MHD_AccessHandlerCallback: called for the head, for each part of the body, at the end, and again after a
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
  // The library offers an untaken part again, at once unless the connection is suspended.
  unsafe size.pointee = 0
  let isGood = unsafe Unmanaged<Connection>.fromOpaque(own)._withUnsafeGuaranteedRef { connection in
    connection.proceed()
    switch connection.local.step {
    case .head: return unsafe connection.readHead(RequestLine(url, method, version))
    case .body: return unsafe part.isEmpty ? connection.answer() : connection.receive(part)
    case .opening: return connection.openUpload()
    case .uploading:
      return unsafe part.isEmpty
        ? connection.finishUpload() : connection.receive(part, leaving: &size.pointee)
    case .discarding(let body):
      return unsafe part.isEmpty ? connection.endDiscarded() : connection.discard(part, of: body)
    case .handled: return connection.sendOrSuspend()
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

/// UnescapeCallback that changes nothing: `RequestTarget` splits a target first and then decodes it once.
func leaveEscaped(
  _ cls: UnsafeMutableRawPointer?,
  _ handle: OpaquePointer?,
  _ text: UnsafeMutablePointer<CChar>?
) -> Int {
  unsafe text.map { unsafe strlen($0) } ?? 0
}
