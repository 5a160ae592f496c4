public import StintModel
import StintUnits

/// A setting of a site file, as it is sent to a plugin.
public struct PluginSettingEntry: Hashable, Sendable {
  /// The name of the setting.
  public var key: String
  /// The value of the setting.
  public var value: PluginSettingValue

  /// Makes an entry.
  public init(_ key: String, _ value: PluginSettingValue) {
    self.key = key
    self.value = value
  }

  /// Encodes the key, a byte for the type (0 string, 1 integer, 2 duration, 3 Boolean), and the value.
  func write(to writer: inout ByteWriter) {
    writer.append(key)
    switch value {
    case .text(let text):
      writer.append(UInt8(0))
      writer.append(text)
    case .whole(let number):
      writer.append(UInt8(1))
      writer.append(Int64(number))
    case .span(let span):
      writer.append(UInt8(2))
      writer.append(span.nanoseconds)
    case .flag(let truth):
      writer.append(UInt8(3))
      writer.append(truth)
    }
  }

  init(_ bytes: inout ByteReader) throws(FrameFault) {
    key = try bytes.text()
    switch try bytes.integer(UInt8.self) {
    case 0: value = .text(try bytes.text())
    case 1: value = .whole(Int(try bytes.integer(Int64.self)))
    case 2: value = .span(TimeSpan(nanoseconds: try bytes.integer()))
    case 3: value = .flag(try bytes.flag())
    case let other: throw FrameFault(.form, "sent a setting of kind \(other)")
    }
  }
}
