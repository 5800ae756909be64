import Dispatch
import Glibc

/// The signals that ask something of the service, one after another: to end, or to read again
/// (SIGHUP).
///
/// A handler of our own, as process 1 of a container has no default action. It writes to a pipe, so
/// that it does not matter which thread the system picks for it: Dispatch's signal sources lose those
/// that come to a thread of a library.
package func serviceSignals() -> AsyncStream<CInt> {
  AsyncStream { continuation in
    var ends: [CInt] = [-1, -1]
    // Without a pipe the default action ends the process, if not gracefully.
    guard pipe(&ends) == 0 else { return }
    for end in ends {
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
    }
    let end = ends[0]
    nonisolated(unsafe) let source = DispatchSource.makeReadSource(fileDescriptor: end)
    // Guard: outside of here only `cancel` is called, which any thread may (dispatch_source_create(3)).
    source.setEventHandler {
      var number: UInt8 = 0
      while read(end, &number, 1) == 1 { continuation.yield(CInt(number)) }
    }
    continuation.onTermination = { _ in source.cancel() }
    source.resume()
    signalPipe = ends[1]
    for number in [SIGTERM, SIGINT, SIGHUP] { signal(number, noteSignal) }
  }
}

nonisolated(unsafe) private var signalPipe: CInt = -1
// Guard: written before the handler that reads it is installed, and never again.

/// Does only what a signal's handler may (signal-safety(7)).
private func noteSignal(_ number: CInt) {
  let error = errno
  var byte = UInt8(truncatingIfNeeded: number)
  write(signalPipe, &byte, 1)
  errno = error
}
