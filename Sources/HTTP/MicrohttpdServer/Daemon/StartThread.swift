import Glibc

/// Starts a thread that runs a function, and returns its `pthread_t`; nil if the system cannot create one.
package func startThread(_ run: @escaping @Sendable () -> Void) -> UInt? {
  let body = unsafe Unmanaged.passRetained(ThreadBody(run: run))
  var thread = pthread_t()
  let result = unsafe pthread_create(
    &thread,
    nil,
    { body in
      guard let body = unsafe body else { return nil }
      unsafe Unmanaged<ThreadBody>.fromOpaque(body).takeRetainedValue().run()
      return nil
    },
    body.toOpaque()
  )
  guard result == 0 else {
    unsafe body.release()
    return nil
  }
  return thread
}

private final class ThreadBody: Sendable {
  let run: @Sendable () -> Void

  init(run: @escaping @Sendable () -> Void) { self.run = run }
}
