#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Returns a number that identifies the calling thread while it lives; never 0.
func currentThread() -> UInt {
  #if canImport(Darwin)
    UInt(bitPattern: pthread_self())
  #else
    UInt(pthread_self())
  #endif
}
