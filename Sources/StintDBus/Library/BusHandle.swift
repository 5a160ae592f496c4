import StintPluginKit
import StintSystem
import StintUnits

/// A connection of libsystemd (`sd_bus`). Only one thread at a time may use it and its messages.
///
/// The struct is `Sendable` because `DBusConnection` uses it only under its lock.
struct BusHandle: @unchecked Sendable {
  /// The result of one call of `process`.
  enum Step {
    /// Nothing more can be done without waiting.
    case idle
    /// The library handled an event itself, such as a step of the authentication.
    case handled
    /// A message arrived; the caller must release it.
    case message(MessageHandle)
    /// The connection is lost; the number is an `errno`.
    case failed(Int32)
  }

  let library: SystemdLibrary
  let pointer: OpaquePointer
  /// The descriptor for which the loop waits: a duplicate of the library's descriptor. The library closes its
  /// own descriptor when the bus ends. Another thread could then open a file with the number of that
  /// descriptor, and a loop that waited for this number would wait for the wrong file.
  let descriptor: Int32

  /// Connects to a bus; nil means the system bus. The authentication continues in `process`.
  init(_ address: String?, _ library: SystemdLibrary) throws(Problem) {
    let place = address ?? Self.systemBus
    var made: OpaquePointer?
    var number = library.new(&made)
    guard number >= 0, let pointer = made else { throw .noBus(at: place, -number) }
    number = library.setAddress(pointer, place)
    if number >= 0 { number = library.setBusClient(pointer, 1) }
    // Messages must not pass descriptors to this process: a sender could use up the descriptors of the
    // process.
    if number >= 0 { number = library.negotiateDescriptors(pointer, 0) }
    if number >= 0 { number = library.start(pointer) }
    guard number >= 0 else {
      _ = library.unref(pointer)
      throw .noBus(at: place, -number)
    }
    descriptor = fcntl(library.descriptor(pointer), F_DUPFD_CLOEXEC, 0)
    guard descriptor >= 0 else {
      let number = errno
      _ = library.unref(pointer)
      throw .noBus(at: place, number)
    }
    self.library = library
    self.pointer = pointer
  }

  /// The address of the system bus: the value of `DBUS_SYSTEM_BUS_ADDRESS`, or the standard path.
  private static var systemBus: String {
    let value = getenv("DBUS_SYSTEM_BUS_ADDRESS")
    return value.map { String(cString: $0) } ?? "unix:path=/run/dbus/system_bus_socket"
  }

  /// True when messages wait until the descriptor accepts bytes.
  var wantsToWrite: Bool { library.events(pointer) & Int32(POLLOUT) != 0 }

  /// The time until `process` must be called although the descriptor is not ready; nil for no limit.
  var timeout: TimeSpan? {
    var deadline: UInt64 = 0
    guard library.timeout(pointer, &deadline) >= 0, deadline != .max else { return nil }
    // The library counts microseconds of CLOCK_MONOTONIC; 0 means at once.
    guard deadline > 0 else { return .zero }
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    let now = UInt64(time.tv_sec) * 1_000_000 + UInt64(time.tv_nsec) / 1000
    let rest = deadline > now ? deadline - now : 0
    return TimeSpan(nanoseconds: Int64(min(rest, 1 << 40)) * 1000)
  }

  /// Reads or writes at most one message, without waiting.
  func process() -> Step {
    var message: OpaquePointer?
    let number = library.process(pointer, &message)
    if number < 0 { return .failed(-number) }
    if let message { return .message(MessageHandle(library: library, pointer: message)) }
    if number > 0 { return .handled }
    return library.isOpen(pointer) > 0 ? .idle : .failed(ECONNRESET)
  }

  /// Sends a message, or queues it when the descriptor accepts no bytes.
  ///
  /// - Returns: the number by which a reply refers to the message.
  func send(_ message: MessageHandle, expectsReply: Bool) -> Result<UInt64, Problem> {
    var cookie: UInt64 = 0
    let number =
      expectsReply
      ? library.send(pointer, message.pointer, &cookie) : library.send(pointer, message.pointer, nil)
    return number < 0 ? .failure(.cannotSend(-number)) : .success(cookie)
  }

  /// Closes the connection without waiting; messages that were not written are dropped.
  func close() {
    DescriptorCalls.close(descriptor)
    library.close(pointer)
    _ = library.unref(pointer)
  }
}
