/// The value of one channel in one sample.
public enum ChannelValue: Hashable, Sendable {
  /// A number in the unit of the manifest.
  case number(Double)
  /// One of the words of the manifest.
  case word(String)
  /// Bytes, at most as many as the manifest declares.
  case bytes([UInt8])

  /// The bytes as lower-case hexadecimal digits, two for each byte. Nil for a number or a word.
  public var hexadecimal: String? {
    guard case .bytes(let bytes) = self else { return nil }
    return Self.hexadecimal(bytes)
  }

  /// Returns bytes as lower-case hexadecimal digits, two for each byte.
  public static func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }

  /// Returns the bytes that hexadecimal digits denote. Nil when the text has another character, or an odd
  /// number of digits.
  public static func bytes(hexadecimal text: String) -> [UInt8]? {
    let digits = text.map { $0.isASCII ? $0.hexDigitValue : nil }
    guard digits.count.isMultiple(of: 2) else { return nil }
    var bytes: [UInt8] = []
    for place in stride(from: 0, to: digits.count, by: 2) {
      guard let high = digits[place], let low = digits[place + 1] else { return nil }
      bytes.append(UInt8(high * 16 + low))
    }
    return bytes
  }
}

extension Manifest {
  /// Returns the values of a sample in the order of the channels, each with its channel.
  ///
  /// - Parameters:
  ///   - sample: the sample.
  ///   - wide: the further values of the batch of the sample.
  public func values(
    of sample: Sample, with wide: WideValues?
  ) -> [(channel: Channel, value: ChannelValue)] {
    let numbers = zip(plainChannels, sample.values(with: wide)).map { channel, number in
      (channel, channel.word(number).map { ChannelValue.word($0) } ?? .number(number))
    }
    let bytes = zip(byteChannels, wide?.bytes(of: sample) ?? []).map { ($0, ChannelValue.bytes(Array($1))) }
    return numbers + bytes
  }
}
