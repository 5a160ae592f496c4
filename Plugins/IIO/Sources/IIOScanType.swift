/// The format of a value in a scan, from `scan_elements/in_accel_x_type`.
///
/// For example, `le:s12/16>>4` is a signed number of 12 bits in 16, little-endian, to be shifted right by 4.
struct IIOScanType: Hashable, Sendable {
  var isBigEndian: Bool
  var isSigned: Bool
  var bits: Int
  var storageBits: Int
  var shift: Int

  /// The size in bytes, which is also the alignment.
  var size: Int { storageBits / 8 }

  /// Parses the contents of the file.
  ///
  /// - Throws: a fault when the format is malformed or unsupported.
  init(_ text: String) throws(IIOFault) {
    let halves = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    guard halves.count == 2, halves[0] == "le" || halves[0] == "be", let sign = halves[1].first,
      sign == "s" || sign == "u"
    else { throw IIOFault("“\(text)” is not a type of a scan element") }
    let rest = halves[1].dropFirst()
    guard let slash = rest.firstIndex(of: "/"), let bits = Self.number(rest[..<slash]) else {
      throw IIOFault("“\(text)” is not a type of a scan element")
    }
    let storage = rest[rest.index(after: slash)...]
    let digits = storage.prefix { $0.isNumber }
    guard let storageBits = Self.number(digits) else {
      throw IIOFault("“\(text)” is not a type of a scan element")
    }
    let tail = storage.dropFirst(digits.count)
    var shift = 0
    if !tail.isEmpty {
      guard tail.hasPrefix(">>"), let number = Self.number(tail.dropFirst(2)) else {
        throw IIOFault("“\(text)” has an unsupported repeat count, or is not a type of a scan element")
      }
      shift = number
    }
    guard [8, 16, 32, 64].contains(storageBits) else {
      throw IIOFault("“\(text)” has a storage other than 8, 16, 32 or 64 bits")
    }
    guard (1...storageBits).contains(bits), bits + shift <= storageBits else {
      throw IIOFault("“\(text)” has no bits, or more bits than its storage")
    }
    isBigEndian = halves[0] == "be"
    isSigned = sign == "s"
    self.bits = bits
    self.storageBits = storageBits
    self.shift = shift
  }

  /// Decodes the number in these `size` bytes.
  func value(in bytes: some BidirectionalCollection<UInt8>) -> Int64 {
    var word: UInt64 = 0
    if isBigEndian {
      for byte in bytes { word = word << 8 | UInt64(byte) }
    } else {
      for byte in bytes.reversed() { word = word << 8 | UInt64(byte) }
    }
    word >>= UInt64(shift)
    let unused = UInt64(64 - bits)
    let high = word << unused
    return isSigned ? Int64(bitPattern: high) >> Int64(unused) : Int64(bitPattern: high >> unused)
  }

  private static func number(_ text: some StringProtocol) -> Int? {
    guard !text.isEmpty, text.utf8.count <= 3, text.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }) else {
      return nil
    }
    return Int(text)
  }
}
