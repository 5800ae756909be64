#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A number that is the calling thread's own as long as it lives; never 0.
func currentThread() -> UInt {
  #if canImport(Darwin)
    UInt(bitPattern: pthread_self())
  #else
    UInt(pthread_self())
  #endif
}
