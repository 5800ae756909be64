import FusionHTTPMessages
import Synchronization

/// The shared settings and flags of one server's connections; lives until the last of them is closed.
final class ServerContext: Sendable {
  let settings: ServerConfiguration
  let handler: HTTPHandler
  /// The minimum number of bytes that a client must send within the deadline of a body that is read as it
  /// arrives.
  let leastUpload: Int
  let limit: ConnectionLimit
  let headers: FixedHeaders
  let idleTimeout: Milliseconds
  /// The idle timeout of the library's daemons, which is in seconds.
  let daemonTimeout: CUnsignedInt
  /// Whether clients connect over a Unix socket.
  let isLocal: Bool
  let isEncrypted: Bool
  /// Whether loops take over the sockets of streams from the library.
  let takesOverStreams: Bool
  /// The loops, which also retain this object; emptied when the server has stopped.
  let loops = EventLoops()
  /// The number of streams whose sockets the loops have taken over.
  let openStreams = Atomic(0)
  /// Whether every response closes its connection, because the server accepts no more.
  let isDraining = Atomic(false)
  /// Whether requests are kept from the handler.
  let isRefusing = Atomic(false)
  /// Whether streams end and nothing is suspended.
  let closing = Atomic(false)

  var isClosing: Bool { closing.load(ordering: .acquiring) }

  init(
    _ settings: ServerConfiguration,
    limit: ConnectionLimit,
    isLocal: Bool,
    handler: @escaping HTTPHandler
  ) {
    self.settings = settings
    self.handler = handler
    self.limit = limit
    self.isLocal = isLocal
    leastUpload = settings.leastTransfer(within: settings.bodyDeadline)
    headers = FixedHeaders(settings.responseHeaders)
    idleTimeout = settings.idleTimeout.milliseconds
    // Leaves room for longer timeouts of single connections.
    daemonTimeout = CUnsignedInt(clamping: min((idleTimeout + 999) / 1000, .init(Int32.max)))
    isEncrypted = settings.tls != nil
    // Over TLS, a socket alone lacks the state that the library holds.
    takesOverStreams =
      settings.takesOverStreams && !isEncrypted
      && LibraryVersion.canTakeOverStreams(LibraryVersion.current)
  }
}
