/// Converts between file paths and the URIs of editors: `file:///policies/night%20shift.stint`.
public enum FileURI {
  private static let scheme = "file://"

  /// Returns the path of a URI; nil when the URI is invalid or does not name a file on this machine.
  public static func path(of address: String) -> String? {
    guard address.hasPrefix(scheme) else { return nil }
    var rest = address.dropFirst(scheme.count)
    if rest.hasPrefix("localhost/") { rest = rest.dropFirst("localhost".count) }
    guard rest.hasPrefix("/") else { return nil }
    var bytes: [UInt8] = []
    var iterator = rest.utf8.makeIterator()
    while let byte = iterator.next() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      guard let high = iterator.next().flatMap(digit), let low = iterator.next().flatMap(digit) else {
        return nil
      }
      bytes.append(high << 4 | low)
    }
    // A path cannot contain a zero byte.
    return bytes.contains(0) ? nil : String(validating: bytes, as: UTF8.self)
  }

  private static func digit(_ byte: UInt8) -> UInt8? {
    Character(Unicode.Scalar(byte)).hexDigitValue.map(UInt8.init)
  }

  /// Returns the URI of an absolute path.
  public static func address(of path: String) -> String {
    scheme
      + path.utf8.map { byte in
        let character = Character(Unicode.Scalar(byte))
        guard byte >= 0x80 || !(character.isLetter || character.isNumber || "/-._~".contains(character))
        else {
          return String(character)
        }
        let digits = String(byte, radix: 16, uppercase: true)
        return byte < 16 ? "%0\(digits)" : "%\(digits)"
      }.joined()
  }
}
