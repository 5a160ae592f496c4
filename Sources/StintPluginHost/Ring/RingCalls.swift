#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Calls of Linux that Swift's view of the C library does not show; looked up by name, and absent elsewhere.
enum RingCalls {
  private typealias MakeMemory = @convention(c) (UnsafePointer<CChar>, UInt32) -> Int32
  private typealias MakeEvent = @convention(c) (UInt32, Int32) -> Int32

  /// Closed on `exec`, and may be sealed.
  private static let memoryFlags: UInt32 = 1 | 2
  private static let addSeals: Int32 = 1033
  /// Neither shorter nor longer, and no other seals: an end that cuts the memory would kill the other.
  private static let seals: Int32 = 1 | 2 | 4

  /// Memory without a name of this many bytes, all zero, that nobody can cut or grow any more.
  static func sealedMemory(bytes: Int) throws(RingError) -> Int32 {
    guard let symbol = dlsym(dlopen(nil, RTLD_NOW), "memfd_create") else { throw RingError("memfd_create") }
    let descriptor = unsafeBitCast(symbol, to: MakeMemory.self)("stint-ring", memoryFlags)
    guard descriptor >= 0 else { throw RingError("memfd_create", errno) }
    guard ftruncate(descriptor, off_t(bytes)) == 0 else { throw failed("ftruncate", descriptor) }
    guard fcntl(descriptor, addSeals, seals) == 0 else { throw failed("fcntl", descriptor) }
    return descriptor
  }

  /// A descriptor that is readable once something was written to it, until it is read; it never blocks.
  static func event() throws(RingError) -> Int32 {
    guard let symbol = dlsym(dlopen(nil, RTLD_NOW), "eventfd") else { throw RingError("eventfd") }
    let descriptor = unsafeBitCast(symbol, to: MakeEvent.self)(0, O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { throw RingError("eventfd", errno) }
    return descriptor
  }

  /// Makes an event readable.
  static func raise(_ event: Int32) {
    var one: UInt64 = 1
    _ = write(event, &one, 8)
  }

  /// Makes an event unreadable until it is raised again.
  static func drain(_ event: Int32) {
    var count: UInt64 = 0
    _ = read(event, &count, 8)
  }

  private static func failed(_ call: String, _ descriptor: Int32) -> RingError {
    let number = errno
    close(descriptor)
    return RingError(call, number)
  }
}
