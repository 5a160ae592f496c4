extension Manifest {
  /// Returns the errors of the channels of bytes. These channels follow all other channels, so the index of
  /// any other channel is the index of its number.
  func byteChannelFaults() -> [ManifestFault] {
    var faults: [ManifestFault] = []
    let count = channels.count { $0.bytes != nil }
    if count > InputBounds.byteChannels {
      faults.append(
        ManifestFault(
          path: "channels",
          sentence: "\(count) channels of bytes exceed the limit of \(InputBounds.byteChannels)"))
    }
    for (index, channel) in channels.enumerated() {
      if let bytes = channel.bytes, !(1...InputBounds.channelBytes).contains(bytes) {
        faults.append(
          ManifestFault(
            path: "channels[\(index)].bytes",
            sentence: "“\(channel.name)” has \(bytes) bytes, not 1 to \(InputBounds.channelBytes)"))
      }
      if channel.bytes == nil, let previous = channels[..<index].last, previous.bytes != nil {
        faults.append(
          ManifestFault(
            path: "channels[\(index)]",
            sentence: "“\(channel.name)” follows “\(previous.name)”; channels of bytes must be last"))
      }
    }
    return faults
  }

  /// Returns why the values of the channels of bytes do not fit the manifest, as the end of a sentence. Nil
  /// when they fit.
  package func byteFault(of values: SampleBytes?) -> String? {
    let channels = byteChannels
    guard values?.channels ?? 0 == channels.count else {
      return "samples with \(values?.channels ?? 0) values of bytes, but its manifest has \(channels.count)"
    }
    guard let values else { return nil }
    for (place, channel) in channels.enumerated() {
      let (longest, limit) = (values.longest(ofChannel: place), channel.bytes ?? 0)
      if longest > limit {
        return "\(longest) bytes in “\(channel.name)”, but its manifest allows \(limit)"
      }
    }
    return nil
  }
}
