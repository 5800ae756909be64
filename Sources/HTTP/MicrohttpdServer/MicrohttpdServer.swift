import Dispatch
package import FusionHTTPMessages
import Synchronization

/// An HTTP/1.1 server on libmicrohttpd, from listening to `stop(within:)`.
///
/// The handler is called on the thread of an event loop, which serves thousands of other connections: it must
/// not block. The handler answers during the call, or later from any thread. Requests of one connection are
/// handled one after another, each after the previous response is completely sent. A connection without a
/// response keeps waiting; releasing `respond` without calling it answers 500.
///
/// The handler may answer `HEAD` like `GET`: the body is not sent, but determines Content-Length. With an
/// empty body, for `HEAD` or 304, the server sends the handler's own Content-Length; a 304 without either
/// closes its connection. A stream that is not sent is not opened. The server sets all other framing headers
/// itself.
///
/// A streamed response is chunked with a clean end, and closes its connection (RFC 9112 §9.6).
package final class MicrohttpdServer: Sendable {
  package typealias Configuration = ServerConfiguration

  /// The port that the server listens on, even if the configuration has 0; 0 for a Unix socket.
  package let port: Int
  private let running: RunningServer

  /// Starts listening; the handler may be called before this returns.
  package init(
    _ configuration: Configuration,
    handler: @escaping HTTPHandler
  ) throws(StartError) {
    running = try RunningServer(configuration, handler: handler)
    port = running.socket.port ?? 0
  }

  /// Stops a running server without waiting for requests; on another thread, since this may be a loop's,
  /// which cannot wait for itself.
  deinit {
    let running = running
    running.queue.async { running.stop(within: .zero) }
  }

  /// The number of open connections, including those that get a 503.
  package var connections: Int { running.connections.count }

  /// The number of connections of each thread.
  package var connectionsByThread: [Int] { running.connectionsByThread }

  /// Whether event loops take over the sockets of streams from the library.
  package var takesOverStreams: Bool { running.context.takesOverStreams }

  /// The number of connections that are served normally: fewer than configured if too few files may be open.
  package var effectiveConnectionLimit: Int { running.context.limit.served }

  /// Returns the number of outgoing connections that a fraction of the process's open files allows.
  package static func connections(wanted: Int, shareOfOpenFiles: Double) -> Int {
    ConnectionLimit(wanted: wanted, loops: 0, share: shareOfOpenFiles).served
  }

  /// Uses another certificate for new connections.
  ///
  /// Open connections keep theirs, and close after the next response; streams continue. Waits for a running
  /// stop. Throws if the identity is invalid, without changing anything.
  package func renew(_ identity: TLSIdentity) throws(StartError) {
    let running = running
    try running.queue.sync { Result { () throws(StartError) in try running.renew(identity) } }.get()
  }

  /// Accepts no more connections, not even those in the backlog.
  ///
  /// Open connections are answered with `Connection: close`. Returns at once; any thread.
  package func quiesce() {
    running.quiesce()
  }

  /// Answers all requests, ends all streams cleanly, and closes everything.
  ///
  /// Quiesces first. Waits until no request is being answered, or `limit` has passed; waiting requests then
  /// get 503. Streams end after that, and their peers have a second to read them. May be called any number of
  /// times: all calls return once the server has stopped.
  package func stop(within limit: Duration) async {
    await withCheckedContinuation { continuation in
      let running = running
      // On a dispatch queue: stopping blocks, which the cooperative pool must not do.
      running.queue.async {
        running.stop(within: limit)
        continuation.resume()
      }
    }
  }
}
