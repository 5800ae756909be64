import Dispatch
package import FusionHTTPMessages
import Synchronization

/// An HTTP/1.1 server on libmicrohttpd: one owner of its event loops, from listening to `stop(within:)`.
///
/// The handler is called on the thread of an event loop, which serves thousands of other
/// connections meanwhile: it must not wait for anything. It answers during the call, or later from
/// any thread; requests of one connection are handled one after another, each when the one before
/// has been answered in full. An answer that never comes keeps its connection waiting for ever,
/// except that letting go of `respond` without calling it answers 500.
///
/// To `HEAD` the handler may answer what it would answer to `GET`: no body is sent, Content-Length
/// is the body's. With an empty body, to `HEAD` or with 304, a Content-Length among the response's
/// headers is sent instead; a 304 without either closes its connection. A stream that is not sent
/// is not opened, either. Otherwise framing headers are the server's own.
///
/// A streamed answer is chunked with a clean end, and closes its connection (RFC 9112 §9.6).
package final class MicrohttpdServer: Sendable {
  /// The port listened on, also where the configuration says 0; 0 for a Unix socket.
  package let port: Int
  private let running: RunningServer

  /// Starts listening; requests may come before this returns.
  package init(
    _ configuration: Configuration,
    handler: @escaping HTTPHandler
  ) throws(StartError) {
    running = try RunningServer(configuration, handler: handler)
    port = running.socket.port ?? 0
  }

  /// A server that nobody stopped stops without waiting for requests, on a thread of its own: this
  /// may be the thread of a loop, which cannot wait for itself.
  deinit {
    let running = running
    running.queue.async { running.stop(within: .zero) }
  }

  /// Open connections, those that are turned away included.
  package var connections: Int { running.context.connections.count }

  /// How many connections each of its threads has.
  package var connectionsByThread: [Int] { running.connectionsByThread }

  /// Whether streams leave the library once their head is sent.
  package var takesOverStreams: Bool { running.context.takesOverStreams }

  /// How many connections are served: less than asked for where open files are too few.
  package var effectiveConnectionLimit: Int { running.context.limit.served }

  /// How many connections of the process's own making a part of its open files allows.
  package static func connections(wanted: Int, shareOfOpenFiles: Double) -> Int {
    ConnectionLimit(wanted: wanted, loops: 0, share: shareOfOpenFiles).served
  }

  /// Shows another identity to the connections that come from here on.
  ///
  /// Those that there are have theirs until they close, which they do after the next answer; streams go on.
  /// Waits for a stop that has begun. Throws where the identity is not valid, and nothing changes then.
  package func renew(_ identity: TLSIdentity) throws(StartError) {
    let running = running
    try running.queue.sync { Result { () throws(StartError) in try running.renew(identity) } }.get()
  }

  /// No new connections from here on, those in the backlog included.
  ///
  /// Whoever has one is answered with `Connection: close`. Returns at once; any thread.
  package func quiesce() {
    running.quiesce()
  }

  /// Answers what has been asked, ends all streams cleanly, and closes everything.
  ///
  /// Quiesces first. Waits until no request is being answered, or `limit` has passed; whoever
  /// still waits for an answer then gets 503. Streams are told to end after that, and have a
  /// second to be read by their peers. Any number of callers: all return once it is done.
  package func stop(within limit: Duration) async {
    await withCheckedContinuation { continuation in
      let running = running
      // A queue of its own: stopping blocks, and the cooperative pool must not.
      running.queue.async {
        running.stop(within: limit)
        continuation.resume()
      }
    }
  }
}
