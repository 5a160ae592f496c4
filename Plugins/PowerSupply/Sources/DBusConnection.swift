import StintPluginKit

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A connection to a D-Bus message bus, for use on one thread. A call waits at most two seconds for an
/// answer.
final class DBusConnection {
  private let library: DBusLibrary
  private let bus: OpaquePointer
  /// Becomes true when a signal arrives. The library sets it within `processMessages`, on the same thread.
  private let hasSignal: UnsafeMutablePointer<Bool>

  /// The descriptor is readable when `processMessages` has work.
  var descriptor: Int32 { library.descriptor(bus) }

  /// Connects to the bus at an address; nil means the system bus.
  init(_ address: String?) throws(BusError) {
    guard let library = DBusLibrary.shared else { throw BusError("libsystemd is not installed") }
    self.library = library
    var made: OpaquePointer?
    var number = address == nil ? library.openSystem(&made) : library.make(&made)
    guard number >= 0, let bus = made else { throw BusError(number, "the bus") }
    if let address {
      number = library.setAddress(bus, address)
      if number >= 0 { number = library.setClient(bus, 1) }
      if number >= 0 { number = library.start(bus) }
    }
    if number >= 0 { number = library.setTimeout(bus, 2_000_000) }
    guard number >= 0 else {
      _ = library.end(bus)
      throw BusError(number, "the bus")
    }
    self.bus = bus
    hasSignal = .allocate(capacity: 1)
    hasSignal.initialize(to: false)
  }

  deinit {
    _ = library.end(bus)
    hasSignal.deallocate()
  }

  /// Subscribes to the signals that match a rule.
  func listen(_ rule: String) throws(BusError) {
    let number = library.addMatch(bus, nil, rule, Self.markSignal, hasSignal)
    guard number >= 0 else { throw BusError(number, "signals") }
  }

  private static let markSignal: DBusLibrary.Handler = { _, hasSignal, _ in
    hasSignal?.assumingMemoryBound(to: Bool.self).pointee = true
    return 0
  }

  /// Processes the waiting messages. Returns true when a signal was among them.
  func processMessages() throws(BusError) -> Bool {
    while true {
      let number = library.process(bus, nil)
      guard number >= 0 else { throw BusError(number, "the bus") }
      guard number == 0 else { continue }
      defer { hasSignal.pointee = false }
      return hasSignal.pointee
    }
  }

  func flag(_ name: String, of object: DBusObject) throws(BusError) -> Bool {
    // The library writes a C int.
    var value: Int32 = 0
    try read(name, of: object, "b", &value)
    return value != 0
  }

  func count(_ name: String, of object: DBusObject) throws(BusError) -> UInt32 {
    var value: UInt32 = 0
    try read(name, of: object, "u", &value)
    return value
  }

  func number(_ name: String, of object: DBusObject) throws(BusError) -> Double {
    var value = 0.0
    try read(name, of: object, "d", &value)
    return value
  }

  private func read(
    _ name: String, of object: DBusObject, _ type: Unicode.Scalar, _ value: UnsafeMutableRawPointer
  ) throws(BusError) {
    let number = library.property(
      bus, object.service, object.path, object.interface, name, nil, CChar(type.value), value)
    guard number >= 0 else { throw BusError(number, "\(object.interface).\(name)") }
  }
}
