#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Blocks the calling thread for a time or until a file descriptor is readable.
enum Pause {
  static func microseconds(_ count: Int) {
    var span = timespec(tv_sec: 0, tv_nsec: count * 1000)
    nanosleep(&span, nil)
  }

  static func untilReadable(_ descriptor: Int32) {
    var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    while poll(&entry, 1, -1) < 0 && errno == EINTR {}
  }
}
