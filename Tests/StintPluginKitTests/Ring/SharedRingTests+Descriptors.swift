import StintUnits

@testable import StintPluginKit

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

#if os(Linux)
  extension SharedRingTests {
    /// Maps the ring again, as the other process does with its descriptors.
    static func adopt(_ ring: SharedRing, capacity: Int) throws(Problem) -> SharedRing {
      let (memory, event, room) = ring.readersDescriptors
      return try SharedRing(adopting: dup(memory), event: dup(event), room: dup(room), capacity: capacity)
    }

    static func isReadable(_ descriptor: Int32) -> Bool {
      var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      return poll(&entry, 1, 0) == 1
    }
  }
#endif
