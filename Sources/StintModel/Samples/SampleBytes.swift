/// The values of the channels of bytes, for the samples of one batch. The lengths of the values may differ.
public struct SampleBytes: Hashable, Sendable {
  /// The number of channels of bytes.
  public let channels: Int
  /// All values, one after the other: the values of the first sample, then those of the second sample.
  private var content: [UInt8] = []
  /// The end of each value in `content`.
  private var ends: [Int] = []

  /// Makes a list without values.
  ///
  /// - Parameter channels: the number of channels of bytes, at least 1.
  public init(channels: Int) {
    precondition(channels > 0, "a list of bytes needs a channel")
    self.channels = channels
  }

  /// Makes the values of samples.
  ///
  /// - Parameter rows: for each sample, the value of each channel of bytes; at least one sample.
  /// - Precondition: all samples have the same number of values, at least one.
  public init(_ rows: [[[UInt8]]]) {
    self.init(channels: rows.first?.count ?? 0)
    for row in rows {
      precondition(row.count == channels, "each sample needs one value for each channel of bytes")
      for value in row { append(value) }
    }
  }

  /// The number of samples whose values are complete.
  public var count: Int { ends.count / channels }

  /// Appends the next value. Values are appended sample by sample, in the order of the channels.
  public mutating func append(_ value: some Collection<UInt8>) {
    content.append(contentsOf: value)
    ends.append(content.count)
  }

  /// Returns the values of the sample at this index, in the order of the channels.
  public func row(_ sample: Int) -> [ArraySlice<UInt8>] {
    (sample * channels..<(sample + 1) * channels).map { content[start($0)..<ends[$0]] }
  }

  /// Removes the values of the first `samples` samples.
  public mutating func removeFirst(_ samples: Int) {
    guard samples > 0 else { return }
    let removed = ends[samples * channels - 1]
    content.removeFirst(removed)
    ends = ends.dropFirst(samples * channels).map { $0 - removed }
  }

  /// The number of bytes in the values of the sample that has most of them.
  public var largestRow: Int {
    (0..<count).map { ends[($0 + 1) * channels - 1] - start($0 * channels) }.max() ?? 0
  }

  /// Returns the number of bytes of the longest value of a channel.
  public func longest(ofChannel channel: Int) -> Int {
    stride(from: channel, to: ends.count, by: channels).map { ends[$0] - start($0) }.max() ?? 0
  }

  private func start(_ value: Int) -> Int { value == 0 ? 0 : ends[value - 1] }
}
