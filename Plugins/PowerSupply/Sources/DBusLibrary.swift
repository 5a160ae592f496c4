#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The functions of libsystemd for D-Bus. The library is loaded on demand; without it, only UPower is
/// unavailable. The struct is `Sendable` because its pointers stay valid: the library is never unloaded.
struct DBusLibrary: @unchecked Sendable {
  typealias Handler =
    @convention(c) (OpaquePointer?, UnsafeMutableRawPointer?, UnsafeMutableRawPointer?) -> Int32
  typealias Text = UnsafePointer<CChar>

  let make: @convention(c) (UnsafeMutablePointer<OpaquePointer?>) -> Int32
  let openSystem: @convention(c) (UnsafeMutablePointer<OpaquePointer?>) -> Int32
  let setAddress: @convention(c) (OpaquePointer, Text) -> Int32
  let setClient: @convention(c) (OpaquePointer, Int32) -> Int32
  let start: @convention(c) (OpaquePointer) -> Int32
  let setTimeout: @convention(c) (OpaquePointer, UInt64) -> Int32
  let descriptor: @convention(c) (OpaquePointer) -> Int32
  let process: @convention(c) (OpaquePointer, UnsafeMutablePointer<OpaquePointer?>?) -> Int32
  let addMatch:
    @convention(c) (
      OpaquePointer, UnsafeMutablePointer<OpaquePointer?>?, Text, Handler?, UnsafeMutableRawPointer?
    ) -> Int32
  let property:
    @convention(c) (
      OpaquePointer, Text, Text, Text, Text, UnsafeMutableRawPointer?, CChar, UnsafeMutableRawPointer
    ) -> Int32
  let end: @convention(c) (OpaquePointer) -> OpaquePointer?

  /// The library; nil when the library or one of these functions is missing.
  static let shared: DBusLibrary? = {
    guard let library = dlopen("libsystemd.so.0", RTLD_NOW | RTLD_LOCAL) else { return nil }
    return DBusLibrary { dlsym(library, $0) }
  }()

  private init?(_ symbol: (String) -> UnsafeMutableRawPointer?) {
    guard let make = symbol("sd_bus_new"), let openSystem = symbol("sd_bus_open_system"),
      let setAddress = symbol("sd_bus_set_address"), let setClient = symbol("sd_bus_set_bus_client"),
      let start = symbol("sd_bus_start"), let setTimeout = symbol("sd_bus_set_method_call_timeout"),
      let descriptor = symbol("sd_bus_get_fd"), let process = symbol("sd_bus_process"),
      let addMatch = symbol("sd_bus_add_match"), let property = symbol("sd_bus_get_property_trivial"),
      let end = symbol("sd_bus_flush_close_unref")
    else { return nil }
    self.make = unsafeBitCast(make, to: (@convention(c) (UnsafeMutablePointer<OpaquePointer?>) -> Int32).self)
    self.openSystem = unsafeBitCast(
      openSystem, to: (@convention(c) (UnsafeMutablePointer<OpaquePointer?>) -> Int32).self)
    self.setAddress = unsafeBitCast(setAddress, to: (@convention(c) (OpaquePointer, Text) -> Int32).self)
    self.setClient = unsafeBitCast(setClient, to: (@convention(c) (OpaquePointer, Int32) -> Int32).self)
    self.start = unsafeBitCast(start, to: (@convention(c) (OpaquePointer) -> Int32).self)
    self.setTimeout = unsafeBitCast(setTimeout, to: (@convention(c) (OpaquePointer, UInt64) -> Int32).self)
    self.descriptor = unsafeBitCast(descriptor, to: (@convention(c) (OpaquePointer) -> Int32).self)
    self.process = unsafeBitCast(
      process, to: (@convention(c) (OpaquePointer, UnsafeMutablePointer<OpaquePointer?>?) -> Int32).self)
    self.addMatch = unsafeBitCast(
      addMatch,
      to: (@convention(c) (
        OpaquePointer, UnsafeMutablePointer<OpaquePointer?>?, Text, Handler?, UnsafeMutableRawPointer?
      ) -> Int32).self)
    self.property = unsafeBitCast(
      property,
      to: (@convention(c) (
        OpaquePointer, Text, Text, Text, Text, UnsafeMutableRawPointer?, CChar, UnsafeMutableRawPointer
      ) -> Int32).self)
    self.end = unsafeBitCast(end, to: (@convention(c) (OpaquePointer) -> OpaquePointer?).self)
  }
}
