#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Returns an id of the current thread, unique among running threads.
func currentThread() -> UInt64 {
  #if canImport(Darwin)
    UInt64(UInt(bitPattern: pthread_self()))
  #else
    UInt64(pthread_self())
  #endif
}
