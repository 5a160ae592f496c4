import StintUnits

/// A message of libsystemd (`sd_bus_message`). Its owner must call `release` exactly once.
///
/// The struct is `Sendable` because `DBusConnection` uses messages only under its lock.
struct MessageHandle: @unchecked Sendable {
  /// The kinds of messages; the raw values are the bytes in the header of a message.
  enum Kind: UInt8 {
    case call = 1
    case reply = 2
    case error = 3
    case signal = 4
  }

  let library: SystemdLibrary
  let pointer: OpaquePointer

  /// The kind; nil when the byte is not one of the four values.
  var kind: Kind? {
    var byte: UInt8 = 0
    return library.type(pointer, &byte) < 0 ? nil : Kind(rawValue: byte)
  }

  /// The number of the call that this reply answers; nil when the message is not a reply.
  var replyCookie: UInt64? {
    var cookie: UInt64 = 0
    return library.replyCookie(pointer, &cookie) < 0 ? nil : cookie
  }

  /// True when the sender of a call waits for the answer.
  var expectsReply: Bool { library.expectsReply(pointer) > 0 }

  var sender: String { text(library.sender(pointer)) }
  var path: String { text(library.path(pointer)) }
  var interface: String { text(library.interface(pointer)) }
  var member: String { text(library.member(pointer)) }
  /// The types of all values in the body.
  var signature: String { text(library.signature(pointer, 1)) }

  /// The name and the sentence of an error reply.
  var error: (name: String, sentence: String) {
    guard let error = library.error(pointer) else { return ("", "") }
    // `sd_bus_error` begins with two pointers: the name and the sentence.
    let texts = error.assumingMemoryBound(to: UnsafePointer<CChar>?.self)
    return (text(texts[0]), text(texts[1]))
  }

  private func text(_ pointer: UnsafePointer<CChar>?) -> String { pointer.map { String(cString: $0) } ?? "" }

  /// Adds a reference to the message, which also needs a `release`.
  func retained() -> MessageHandle {
    _ = library.messageRef(pointer)
    return self
  }

  /// Lets the next reader begin with the first value.
  func rewind() { _ = library.rewind(pointer, 1) }

  func release() { _ = library.messageUnref(pointer) }

  // MARK: Making messages

  static func call(_ call: DBusCall, on bus: BusHandle) throws(Problem) -> MessageHandle {
    var made: OpaquePointer?
    let target = call.target
    let number = bus.library.newCall(
      bus.pointer, &made, target.service, target.path, target.interface, call.member)
    guard number >= 0, let made else { throw .invalid("\(call)", -number) }
    return try MessageHandle(library: bus.library, pointer: made).filled(with: call.arguments)
  }

  static func signal(
    _ path: String, _ interface: String, _ member: String, _ values: [DBusValue], on bus: BusHandle
  ) throws(Problem) -> MessageHandle {
    var made: OpaquePointer?
    let number = bus.library.newSignal(bus.pointer, &made, path, interface, member)
    guard number >= 0, let made else { throw .invalid("\(interface).\(member) of \(path)", -number) }
    return try MessageHandle(library: bus.library, pointer: made).filled(with: values)
  }

  /// Returns the reply to this call.
  func reply(_ values: [DBusValue]) throws(Problem) -> MessageHandle {
    var made: OpaquePointer?
    let number = library.newReturn(pointer, &made)
    guard number >= 0, let made else { throw .invalid("the reply", -number) }
    return try MessageHandle(library: library, pointer: made).filled(with: values)
  }

  /// Returns an error as the reply to this call.
  func reply(_ failure: Problem) throws(Problem) -> MessageHandle {
    var made: OpaquePointer?
    let number = failure.errorName.withCString { name in
      failure.cause.withCString { sentence in
        // The fields of `sd_bus_error`: the name, the sentence, and whether the library must free both.
        let fields: [UnsafePointer<CChar>?] = [name, sentence, nil]
        return fields.withUnsafeBytes { bytes in
          bytes.baseAddress.map { library.newError(pointer, &made, $0) } ?? -1
        }
      }
    }
    guard number >= 0, let made else { throw .invalid("the error \(failure.errorName)", -number) }
    return MessageHandle(library: library, pointer: made)
  }

  private func filled(with values: [DBusValue]) throws(Problem) -> MessageHandle {
    do throws(Problem) {
      for value in values { try MessageWriter(message: self).append(value) }
    } catch {
      release()
      throw error
    }
    return self
  }
}
