import StintUnits

extension Bool: ImageCodable {
  func write(to writer: inout ImageWriter) { writer.byte(self ? 1 : 0) }

  init(from reader: inout ImageReader) throws(Problem) {
    let place = reader.position
    let byte = try reader.byte()
    guard byte <= 1 else { throw reader.trap(.encoding, at: place, "expected 0 or 1, found \(byte)") }
    self = byte == 1
  }
}

extension Int64: ImageCodable {
  static var minBytes: Int { 8 }

  func write(to writer: inout ImageWriter) { writer.fixed(UInt64(bitPattern: self)) }

  init(from reader: inout ImageReader) throws(Problem) {
    self = Int64(bitPattern: try reader.fixed(UInt64.self))
  }
}

/// A signed integer. Indexes into tables use a shorter form, see `ImageWriter.index`.
extension Int: ImageCodable {
  static var minBytes: Int { 8 }

  func write(to writer: inout ImageWriter) { Int64(self).write(to: &writer) }

  init(from reader: inout ImageReader) throws(Problem) {
    let place = reader.position
    let wide = try Int64(from: &reader)
    guard let number = Int(exactly: wide) else {
      throw reader.trap(.value, at: place, "\(wide) does not fit into an Int of this platform")
    }
    self = number
  }
}

extension Double: ImageCodable {
  static var minBytes: Int { 8 }

  func write(to writer: inout ImageWriter) { writer.fixed(bitPattern) }

  init(from reader: inout ImageReader) throws(Problem) {
    let place = reader.position
    self = Double(bitPattern: try reader.fixed(UInt64.self))
    guard isFinite else { throw reader.trap(.value, at: place, "expected a finite number, found \(self)") }
  }
}

extension String: ImageCodable {
  static var minBytes: Int { 4 }

  func write(to writer: inout ImageWriter) {
    writer.index(utf8.count)
    for byte in utf8 { writer.byte(byte) }
  }

  init(from reader: inout ImageReader) throws(Problem) {
    let place = reader.position
    let bytes = try reader.readBytes(try reader.count(minBytes: 1))
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw reader.trap(.encoding, at: place, "a string is not valid UTF-8")
    }
    self = text
  }
}

extension Optional: ImageCodable where Wrapped: ImageCodable {
  func write(to writer: inout ImageWriter) {
    writer.write(self != nil)
    if let value = self { value.write(to: &writer) }
  }

  init(from reader: inout ImageReader) throws(Problem) {
    self = try reader.read(Bool.self) ? try reader.read(Wrapped.self) : nil
  }
}

extension Array: ImageCodable where Element: ImageCodable {
  static var minBytes: Int { 4 }

  func write(to writer: inout ImageWriter) {
    writer.index(count)
    for element in self { element.write(to: &writer) }
  }

  init(from reader: inout ImageReader) throws(Problem) {
    let count = try reader.count(minBytes: Element.minBytes)
    self = []
    reserveCapacity(count)
    for _ in 0..<count { append(try reader.read()) }
  }
}

extension ClosedRange: ImageCodable where Bound == Double {
  static var minBytes: Int { 16 }

  func write(to writer: inout ImageWriter) { writer.write(lowerBound, upperBound) }

  init(from reader: inout ImageReader) throws(Problem) {
    let place = reader.position
    let lower: Double = try reader.read()
    let upper: Double = try reader.read()
    guard lower <= upper else { throw reader.trap(.value, at: place, "a range ends before it begins") }
    self = lower...upper
  }
}

extension TimeSpan: ImageCodable {
  static var minBytes: Int { 8 }

  func write(to writer: inout ImageWriter) { writer.write(nanoseconds) }

  init(from reader: inout ImageReader) throws(Problem) { self.init(nanoseconds: try reader.read()) }
}

extension Energy: ImageCodable {
  static var minBytes: Int { 8 }

  func write(to writer: inout ImageWriter) { writer.write(Int64(clamping: nanojoules)) }

  init(from reader: inout ImageReader) throws(Problem) {
    let nanojoules: Int64 = try reader.read()
    self.init(nanojoules: nanojoules)
  }
}
