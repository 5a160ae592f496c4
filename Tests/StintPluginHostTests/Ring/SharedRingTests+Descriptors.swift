#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

#if os(Linux)
  extension SharedRingTests {
    static func copy(_ descriptor: Int32) -> Int32 { dup(descriptor) }

    static func isReadable(_ descriptor: Int32) -> Bool {
      var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      return poll(&entry, 1, 0) == 1
    }
  }
#endif
