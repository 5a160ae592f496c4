// Names of system calls that Swift types also have as methods: where a type has its own `read`, the call
// needs its module's name, and that differs.
#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Reads what there is, up to the buffer's size; 0 at the end, -1 with `errno` set.
func readSome(_ descriptor: Int32, into buffer: inout [UInt8]) -> Int {
  read(descriptor, &buffer, buffer.count)
}

/// Writes as much as fits; the number of bytes, or -1 with `errno` set.
func writeSome(_ bytes: ArraySlice<UInt8>, to descriptor: Int32) -> Int {
  bytes.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
}
