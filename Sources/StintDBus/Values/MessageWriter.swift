import StintSystem
import StintUnits

/// Writes values into a message that is not sent yet. The library checks names, paths and types.
struct MessageWriter {
  let message: MessageHandle

  func append(_ value: DBusValue) throws(Problem) {
    let type = UInt8(value.signature.utf8.first ?? 0)
    switch value {
    case .byte(let number): try basic(type, number)
    // The library reads a Boolean value as a C `int`.
    case .boolean(let flag): try basic(type, Int32(flag ? 1 : 0))
    case .int16(let number): try basic(type, number)
    case .uint16(let number): try basic(type, number)
    case .int32(let number): try basic(type, number)
    case .uint32(let number): try basic(type, number)
    case .int64(let number): try basic(type, number)
    case .uint64(let number): try basic(type, number)
    case .double(let number): try basic(type, number)
    case .text(let string), .path(let string), .signature(let string): try text(type, string)
    case .bytes(let bytes):
      let byte = CChar(bitPattern: UInt8(ascii: "y"))
      try check(
        bytes.withUnsafeBytes {
          message.library.appendArray(message.pointer, byte, $0.baseAddress, bytes.count)
        })
    case .array(let values, let element):
      try container("a", element) { () throws(Problem) in for value in values { try append(value) } }
    case .dictionary(let entries, let key, let value):
      try container("a", "{" + key + value + "}") { () throws(Problem) in
        for entry in entries {
          try container("e", key + value) { () throws(Problem) in
            try append(entry.key)
            try append(entry.value)
          }
        }
      }
    case .structure(let values):
      try container("r", values.map(\.signature).joined()) { () throws(Problem) in
        for value in values { try append(value) }
      }
    case .variant(let inner):
      try container("v", inner.signature) { () throws(Problem) in try append(inner) }
    }
  }

  private func basic(_ type: UInt8, _ number: some BitwiseCopyable) throws(Problem) {
    try check(
      withUnsafeBytes(of: number) {
        message.library.appendBasic(message.pointer, CChar(bitPattern: type), $0.baseAddress)
      })
  }

  private func text(_ type: UInt8, _ string: String) throws(Problem) {
    // The library reads up to the first NUL character and would lose the rest without an error.
    guard !string.utf8.contains(0) else { throw .invalid("a string with a NUL character", EINVAL) }
    try check(
      string.withCString { message.library.appendBasic(message.pointer, CChar(bitPattern: type), $0) })
  }

  private func container(
    _ type: Unicode.Scalar, _ contents: String, _ body: () throws(Problem) -> Void
  ) throws(Problem) {
    try check(message.library.openContainer(message.pointer, CChar(type.value), contents))
    try body()
    try check(message.library.closeContainer(message.pointer))
  }

  private func check(_ number: Int32) throws(Problem) {
    guard number >= 0 else { throw .invalid("a value of a message", -number) }
  }
}
