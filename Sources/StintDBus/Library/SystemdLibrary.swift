import StintSystem
import StintUnits

/// The functions of libsystemd for D-Bus, loaded when the first connection is made.
///
/// The program does not link against the library, so the program also starts on systems without libsystemd.
/// Only functions with a fixed number of arguments are used, because Swift cannot call variadic functions of
/// C. The struct is `Sendable` because its pointers stay valid: the library is never unloaded.
struct SystemdLibrary: @unchecked Sendable {
  typealias Text = UnsafePointer<CChar>
  typealias Place = UnsafeMutablePointer<OpaquePointer?>
  typealias Simple = @convention(c) (OpaquePointer) -> Int32
  typealias Switch = @convention(c) (OpaquePointer, Int32) -> Int32
  typealias Counting = @convention(c) (OpaquePointer) -> OpaquePointer?
  typealias Header = @convention(c) (OpaquePointer) -> Text?
  typealias Number = @convention(c) (OpaquePointer, UnsafeMutablePointer<UInt64>) -> Int32
  typealias Container = @convention(c) (OpaquePointer, CChar, Text?) -> Int32

  // Connections.
  let new: @convention(c) (Place) -> Int32
  let setAddress: @convention(c) (OpaquePointer, Text) -> Int32
  let setBusClient: Switch
  let negotiateDescriptors: Switch
  let start: Simple
  let isOpen: Simple
  let close: @convention(c) (OpaquePointer) -> Void
  let unref: Counting
  let descriptor: Simple
  let events: Simple
  let timeout: Number
  let process: @convention(c) (OpaquePointer, Place) -> Int32
  let send: @convention(c) (OpaquePointer, OpaquePointer, UnsafeMutablePointer<UInt64>?) -> Int32

  // Messages.
  let newCall: @convention(c) (OpaquePointer, Place, Text?, Text, Text?, Text) -> Int32
  let newSignal: @convention(c) (OpaquePointer, Place, Text, Text, Text) -> Int32
  let newReturn: @convention(c) (OpaquePointer, Place) -> Int32
  let newError: @convention(c) (OpaquePointer, Place, UnsafeRawPointer) -> Int32
  let messageRef: Counting
  let messageUnref: Counting
  let type: @convention(c) (OpaquePointer, UnsafeMutablePointer<UInt8>) -> Int32
  let replyCookie: Number
  let expectsReply: Simple
  let sender: Header
  let path: Header
  let interface: Header
  let member: Header
  let signature: @convention(c) (OpaquePointer, Int32) -> Text?
  let error: @convention(c) (OpaquePointer) -> UnsafeRawPointer?

  // The values in a message.
  let appendBasic: @convention(c) (OpaquePointer, CChar, UnsafeRawPointer?) -> Int32
  let appendArray: @convention(c) (OpaquePointer, CChar, UnsafeRawPointer?, Int) -> Int32
  let openContainer: Container
  let closeContainer: Simple
  let peek: @convention(c) (OpaquePointer, UnsafeMutablePointer<CChar>, UnsafeMutablePointer<Text?>) -> Int32
  let enterContainer: Container
  let exitContainer: Simple
  let rewind: Switch
  let readBasic: @convention(c) (OpaquePointer, CChar, UnsafeMutableRawPointer) -> Int32
  let readArray:
    @convention(c) (
      OpaquePointer, CChar, UnsafeMutablePointer<UnsafeRawPointer?>, UnsafeMutablePointer<Int>
    ) -> Int32

  /// The library of the system, or the reason why it cannot be used.
  static let shared = Result { () throws(Problem) in try SystemdLibrary(file: "libsystemd.so.0") }

  init(file: String) throws(Problem) {
    guard let library = dlopen(file, RTLD_NOW | RTLD_LOCAL) else {
      throw Problem(
        .unsupported, place: file, cause: "libsystemd is not installed",
        remedy: "install libsystemd (on Debian the package libsystemd0), or use no message bus")
    }
    let find = Symbols(library: library, file: file)
    new = try find("new")
    setAddress = try find("set_address")
    setBusClient = try find("set_bus_client")
    negotiateDescriptors = try find("negotiate_fds")
    start = try find("start")
    isOpen = try find("is_open")
    close = try find("close")
    unref = try find("unref")
    descriptor = try find("get_fd")
    events = try find("get_events")
    timeout = try find("get_timeout")
    process = try find("process")
    send = try find("send")
    newCall = try find("message_new_method_call")
    newSignal = try find("message_new_signal")
    newReturn = try find("message_new_method_return")
    newError = try find("message_new_method_error")
    messageRef = try find("message_ref")
    messageUnref = try find("message_unref")
    type = try find("message_get_type")
    replyCookie = try find("message_get_reply_cookie")
    expectsReply = try find("message_get_expect_reply")
    sender = try find("message_get_sender")
    path = try find("message_get_path")
    interface = try find("message_get_interface")
    member = try find("message_get_member")
    signature = try find("message_get_signature")
    error = try find("message_get_error")
    appendBasic = try find("message_append_basic")
    appendArray = try find("message_append_array")
    openContainer = try find("message_open_container")
    closeContainer = try find("message_close_container")
    peek = try find("message_peek_type")
    enterContainer = try find("message_enter_container")
    exitContainer = try find("message_exit_container")
    rewind = try find("message_rewind")
    readBasic = try find("message_read_basic")
    readArray = try find("message_read_array")
  }

  /// Finds functions by name. The type of each function follows from the property to which it is assigned.
  private struct Symbols {
    let library: UnsafeMutableRawPointer
    let file: String

    func callAsFunction<Function>(_ name: String) throws(Problem) -> Function {
      guard let address = dlsym(library, "sd_bus_" + name) else {
        throw Problem(
          .unsupported, place: file, cause: "libsystemd has no function sd_bus_\(name)",
          remedy: "install a later version of libsystemd, or use no message bus")
      }
      return unsafeBitCast(address, to: Function.self)
    }
  }
}
