import StintSystem
import StintUnits

/// Linux calls that Swift's overlay of the C library does not expose. They are looked up by name and do not
/// exist on other systems.
enum RingCalls {
  private typealias MakeMemory = @convention(c) (UnsafePointer<CChar>, UInt32) -> Int32

  /// MFD_CLOEXEC and MFD_ALLOW_SEALING: closed on `exec`, and may be sealed.
  private static let memoryFlags: UInt32 = 1 | 2
  /// F_ADD_SEALS.
  private static let addSeals: Int32 = 1033
  /// F_SEAL_SEAL, F_SEAL_SHRINK and F_SEAL_GROW. If one side could shorten the memory, a signal would kill
  /// the other side when it accesses the removed part.
  private static let seals: Int32 = 1 | 2 | 4

  /// Makes anonymous memory of this size in bytes, filled with zeros; its size is sealed.
  static func sealedMemory(bytes: Int) throws(Problem) -> Int32 {
    guard let symbol = dlsym(dlopen(nil, RTLD_NOW), "memfd_create") else {
      throw Problem.system("memfd_create", 0)
    }
    let descriptor = unsafeBitCast(symbol, to: MakeMemory.self)("stint-ring", memoryFlags)
    guard descriptor >= 0 else { throw Problem.lastCall("memfd_create") }
    guard ftruncate(descriptor, off_t(bytes)) == 0 else { throw failed("ftruncate", descriptor) }
    guard fcntl(descriptor, addSeals, seals) == 0 else { throw failed("fcntl", descriptor) }
    return descriptor
  }

  /// Makes a non-blocking pipe for waking the other side.
  static func wake() throws(Problem) -> RingWake {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { throw Problem.lastCall("pipe") }
    for end in ends {
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
    }
    return RingWake(wait: ends[0], raise: ends[1])
  }

  /// Wakes the waiting side. When the pipe is full, an earlier wake-up is still unread and suffices.
  static func raise(_ wake: RingWake) {
    var one: UInt8 = 1
    _ = write(wake.raise, &one, 1)
  }

  /// Reads and discards all waiting wake-ups.
  static func drain(_ wake: RingWake) {
    withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 1) { bytes in
      _ = read(wake.wait, bytes.baseAddress, bytes.count)
    }
  }

  private static func failed(_ call: String, _ descriptor: Int32) -> Problem {
    let number = errno
    close(descriptor)
    return .system(call, number)
  }
}
