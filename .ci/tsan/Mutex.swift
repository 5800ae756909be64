#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Stands in for Synchronization's Mutex under the thread sanitizer, which cannot see that one: its
/// code lies in a library that is not instrumented, so everything that it guards looks like a race.
struct Mutex<Value: ~Copyable>: ~Copyable, @unchecked Sendable {
  // Guard: the value is reached only while the lock is held.
  private let value: UnsafeMutablePointer<Value>
  private let lock: UnsafeMutablePointer<pthread_mutex_t>

  init(_ initial: consuming sending Value) {
    value = .allocate(capacity: 1)
    value.initialize(to: initial)
    lock = .allocate(capacity: 1)
    pthread_mutex_init(lock, nil)
  }

  deinit {
    pthread_mutex_destroy(lock)
    lock.deallocate()
    value.deinitialize(count: 1)
    value.deallocate()
  }

  borrowing func withLock<Result: ~Copyable, Failure: Error>(
    _ body: (inout sending Value) throws(Failure) -> sending Result
  ) throws(Failure) -> sending Result {
    pthread_mutex_lock(lock)
    defer { pthread_mutex_unlock(lock) }
    return try body(&value.pointee)
  }

  borrowing func withLockIfAvailable<Result: ~Copyable, Failure: Error>(
    _ body: (inout sending Value) throws(Failure) -> sending Result
  ) throws(Failure) -> sending Result? {
    guard pthread_mutex_trylock(lock) == 0 else { return nil }
    defer { pthread_mutex_unlock(lock) }
    return try body(&value.pointee)
  }
}
