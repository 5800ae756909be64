import Dispatch
import Glibc

/// The signals that ask the process to end, one after another.
///
/// Ignoring them first takes them from the default action; as process 1 of a container, where there
/// is none, this is also what makes them arrive at all.
func terminationSignals() -> AsyncStream<CInt> {
  AsyncStream { continuation in
    nonisolated(unsafe) let sources = [SIGTERM, SIGINT].map { number in
      // Guard: outside of here only `cancel` is called, which any thread may (dispatch_source_create(3)).
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler { continuation.yield(number) }
      source.resume()
      return source
    }
    continuation.onTermination = { _ in
      for source in sources { source.cancel() }
    }
  }
}
