import Dispatch
import Glibc

/// Returns the signals that the process receives from now on: SIGTERM and SIGINT, which ask it to stop, and
/// SIGHUP, which asks it to reload.
///
/// The handler is our own, since process 1 of a container has no default action, and writes to a pipe, since
/// Dispatch's signal sources lose a signal that the system delivers to a thread of a library.
package func serviceSignals() -> AsyncStream<CInt> {
  AsyncStream { continuation in
    var ends: [CInt] = [-1, -1]
    // Without a pipe the default action ends the process, though not gracefully.
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
    for number in [SIGTERM, SIGINT, SIGHUP] { signal(number, writeSignal) }
  }
}

nonisolated(unsafe) private var signalPipe: CInt = -1
// Guard: written before the handler that reads it is installed, and never again.

/// Writes a signal's number to the pipe; calls only what a handler may (signal-safety(7)).
private func writeSignal(_ number: CInt) {
  let error = errno
  var byte = UInt8(truncatingIfNeeded: number)
  write(signalPipe, &byte, 1)
  errno = error
}
