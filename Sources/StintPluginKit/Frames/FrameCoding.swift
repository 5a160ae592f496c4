import StintFormats
import StintModel
import StintUnits

/// Reads the fields of a frame's body. A body that ends too early is a fault.
extension ByteReader {
  /// Reads a little-endian integer.
  mutating func integer<Value: FixedWidthInteger>(_ type: Value.Type = Value.self) throws(FrameFault) -> Value
  {
    guard let value = integer(as: type) else {
      throw FrameFault(.size, "sent a frame that ends inside a number")
    }
    return value
  }

  /// Reads a finite number.
  mutating func number() throws(FrameFault) -> Double {
    let value = Double(bitPattern: try integer(UInt64.self))
    guard value.isFinite else { throw FrameFault(.value, "sent \(value) where a number is expected") }
    return value
  }

  /// Reads a Boolean value: a byte that is 0 or 1.
  mutating func flag() throws(FrameFault) -> Bool {
    switch try integer(UInt8.self) {
    case 0: return false
    case 1: return true
    case let other: throw FrameFault(.form, "sent \(other) where 0 or 1 is expected")
    }
  }

  /// Reads a string: a length in two bytes, then that number of bytes of UTF-8 without control characters.
  mutating func text() throws(FrameFault) -> String {
    let count = Int(try integer(UInt16.self))
    guard count <= FrameLayout.longestText, let slice = readBytes(count) else {
      throw FrameFault(.size, "sent a string of \(count) bytes")
    }
    guard let text = String(validating: slice, as: UTF8.self),
      !text.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7F })
    else { throw FrameFault(.form, "sent a string that is not UTF-8 or contains control characters") }
    return text
  }

  /// Reads a value as JSON, which extends to the end of the body. Unknown members are ignored, because a
  /// later minor version may add members.
  mutating func json<Value: Decodable>(_ type: Value.Type = Value.self) throws(FrameFault) -> Value {
    guard let slice = readBytes(remaining) else { preconditionFailure("the remaining bytes are there") }
    do throws(Problem) {
      return try JSONCoding.decode(type, from: Array(slice), file: "", ignoresUnknownKeys: true)
    } catch {
      throw FrameFault(.form, "sent invalid JSON: \(error.all[0].statement)")
    }
  }

  /// Reads `count` samples whose values are finite numbers.
  ///
  /// - Precondition: the body has enough bytes for these samples.
  mutating func samples(_ count: Int) throws(FrameFault) -> [Sample] {
    guard let bytes = readBytes(count * FrameLayout.sampleSize) else {
      preconditionFailure("the caller has checked the size of the batch")
    }
    var nonFinite: Double?
    let samples = bytes.withUnsafeBytes { bytes in
      [Sample](unsafeUninitializedCapacity: count) { samples, initialized in
        for place in 0..<count {
          let start = place * FrameLayout.sampleSize
          func word(_ number: Int) -> UInt64 {
            UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: start + number * 8, as: UInt64.self))
          }
          let sample = Sample(
            instant: Instant(nanoseconds: Int64(bitPattern: word(0))), sequence: word(1),
            Double(bitPattern: word(2)), Double(bitPattern: word(3)), Double(bitPattern: word(4)),
            Double(bitPattern: word(5)))
          // The products of 0 with NaN and with infinity are NaN, so one sum tests four channels.
          let sum = sample.first * 0 + sample.second * 0 + sample.third * 0 + sample.fourth * 0
          if sum != 0 {
            nonFinite = [sample.first, sample.second, sample.third, sample.fourth].first { !$0.isFinite }
          }
          samples.initializeElement(at: place, to: sample)
        }
        initialized = count
      }
    }
    if let nonFinite { throw FrameFault(.value, "sent \(nonFinite) where a number is expected") }
    return samples
  }

  /// Reads `count` reserved bytes. Throws a fault when one of them is not 0.
  mutating func zero(_ count: Int) throws(FrameFault) {
    for _ in 0..<count where try integer(UInt8.self) != 0 {
      throw FrameFault(.form, "sent a reserved field that is not 0")
    }
  }

  /// Throws a fault when the body has unread bytes.
  func end() throws(FrameFault) {
    guard remaining == 0 else {
      throw FrameFault(.size, "sent a frame with unexpected bytes at its end: \(remaining)")
    }
  }
}

extension ByteWriter {
  /// Writes a string. A string with more than `FrameLayout.longestText` bytes is cut after the last character
  /// that fits.
  mutating func append(_ text: String) {
    var count = 0
    for character in text {
      let size = character.utf8.count
      if count + size > FrameLayout.longestText { break }
      count += size
    }
    append(UInt16(count))
    append(contentsOf: text.utf8.prefix(count))
  }

  /// Writes a value as JSON up to the end of the body.
  ///
  /// - Precondition: all numbers in the value are finite.
  mutating func append(json value: some Encodable) {
    do throws(Problem) {
      append(contentsOf: try JSONCoding.line(of: value).utf8)
    } catch {
      preconditionFailure("\(error)")
    }
  }

  /// Writes `count` reserved bytes, all 0.
  mutating func zero(_ count: Int) { append(contentsOf: repeatElement(0, count: count)) }
}
