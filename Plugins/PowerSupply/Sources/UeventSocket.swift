import StintPluginKit

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Where the kernel says that a device changed.
enum UeventSocket {
  /// Whether a message is about power or heat; in the kernel's own form or in that of the device daemon.
  static func matters(_ message: ArraySlice<UInt8>) -> Bool {
    message.split(separator: 0).contains { word in
      word.elementsEqual("SUBSYSTEM=power_supply".utf8) || word.elementsEqual("SUBSYSTEM=thermal".utf8)
    }
  }

  /// Opens the socket; nil where the system has none, or does not let us.
  static func open() -> Int32? {
    #if os(Linux)
      // <linux/netlink.h> is in no module: the number of the protocol, and an address of family, padding, own
      // number (the kernel's choice) and the group of the kernel's messages.
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
