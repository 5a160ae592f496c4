import StintPluginKit

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The netlink socket on which the kernel reports device changes.
enum UeventSocket {
  /// Returns true when a message concerns power or temperature. The message may have the format of the kernel
  /// or the format of udev.
  static func matters(_ message: ArraySlice<UInt8>) -> Bool {
    message.split(separator: 0).contains { word in
      word.elementsEqual("SUBSYSTEM=power_supply".utf8) || word.elementsEqual("SUBSYSTEM=thermal".utf8)
    }
  }

  /// Opens the socket; returns nil when the system does not support it or denies it.
  static func open() -> Int32? {
    #if os(Linux)
      // No Swift module contains <linux/netlink.h>, so the protocol's number is written here. The address
      // consists of the family, padding, the port id (0: the kernel chooses it) and the group of the kernel's
      // messages.
      let protocolNumber: Int32 = 15
      #if canImport(Glibc)
        let datagrams =
          Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
      #else
        let datagrams = SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC
      #endif
      let descriptor = socket(AF_NETLINK, datagrams, protocolNumber)
      guard descriptor >= 0 else { return nil }
      let address =
        withUnsafeBytes(of: UInt16(AF_NETLINK)) { Array($0) } + [0, 0, 0, 0, 0, 0]
        + withUnsafeBytes(of: UInt32(1)) { Array($0) }
      let size = socklen_t(address.count)
      let isBound = address.withUnsafeBytes { bytes in
        guard let start = bytes.baseAddress else { return false }
        return bind(descriptor, start.assumingMemoryBound(to: sockaddr.self), size) == 0
      }
      guard isBound else {
        DescriptorCalls.close(descriptor)
        return nil
      }
      return descriptor
    #else
      return nil
    #endif
  }
}
