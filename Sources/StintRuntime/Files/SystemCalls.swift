import StintSystem

// Aliases for system calls whose names are also methods of Swift types. In a type with its own `read`, a call
// needs the module name, which depends on the platform.

/// Reads available bytes, up to the size of the buffer. Returns their number, 0 at the end, or -1 with
/// `errno` set.
func readSome(_ descriptor: Int32, into buffer: inout [UInt8]) -> Int {
  read(descriptor, &buffer, buffer.count)
}

/// Writes as many bytes as possible. Returns their number, or -1 with `errno` set.
func writeSome(_ bytes: ArraySlice<UInt8>, to descriptor: Int32) -> Int {
  bytes.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
}
