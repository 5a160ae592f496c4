/// The check whether the content of a file is text.
public enum PlainText {
  /// Returns the offset of the first control character; nil for text without control characters. Tabs, line
  /// ends and form feeds are part of text.
  public static func controlCharacter(in bytes: some Collection<UInt8>) -> Int? {
    var offset = 0
    for byte in bytes {
      switch byte {
      case 0x09, 0x0A, 0x0C, 0x0D: break
      case 0..<0x20, 0x7F: return offset
      default: break
      }
      offset += 1
    }
    return nil
  }

  /// Returns the cause of a problem for a file with this control character.
  public static func cause(control byte: UInt8) -> String {
    "this is not a text file: it contains the control character U+"
      + String(byte, radix: 16, uppercase: true)
  }
}
