/// The values that a `Sample` has no room for, for the samples of one batch. These are the numbers and words
/// of the channels after the fourth channel, and the values of the channels of bytes.
///
/// A `Sample` contains the values of its first four channels, so devices with at most four channels and
/// without bytes need no further memory. Each row has the sequence number of its sample, so filters may
/// remove and sort samples without changing the rows.
public struct WideValues: Hashable, Sendable {
  private struct Rows: Hashable, Sendable {
    let width: Int
    let values: [Double]
    /// The sequence numbers of the samples, row by row.
    let sequences: [UInt64]
    let isAscending: Bool
    let bytes: SampleBytes?
  }

  /// A reference to the rows. Batches of all devices contain an optional of this type, which is as large as
  /// a pointer.
  private indirect enum Storage: Hashable, Sendable {
    case rows(Rows)
  }

  private let storage: Storage

  private var rows: Rows {
    switch storage {
    case .rows(let rows): rows
    }
  }

  /// The number of numbers in a row: the number of the device's channels of numbers and words minus four, or
  /// 0.
  public var width: Int { rows.width }
  /// The values, row by row, in the units of the channels. A channel whose values are words has the index of
  /// the word as its value.
  public var values: [Double] { rows.values }
  /// The values of the channels of bytes, in the order in which the rows were made. Nil for a device without
  /// such channels.
  public var bytes: SampleBytes? { rows.bytes }

  /// Makes rows for samples.
  ///
  /// - Parameters:
  ///   - width: the number of numbers in a row; at least 1 without bytes.
  ///   - samples: the samples of the batch.
  ///   - values: the rows, one after the other, in the order of the samples.
  ///   - bytes: the values of the channels of bytes, in the order of the samples.
  /// - Precondition: there is one row for each sample.
  public init(width: Int, samples: [Sample], values: [Double], bytes: SampleBytes? = nil) {
    precondition(width > 0 || bytes != nil, "a row needs a value")
    precondition(values.count == width * samples.count, "each sample needs one row")
    precondition(bytes.map { $0.count == samples.count } ?? true, "each sample needs its bytes")
    let sequences = samples.map(\.sequence)
    let isAscending = zip(sequences, sequences.dropFirst()).allSatisfy { $0 < $1 }
    storage = .rows(
      Rows(width: width, values: values, sequences: sequences, isAscending: isAscending, bytes: bytes))
  }

  /// Returns the values of the channels after the fourth channel; empty when the sample has no row.
  public func row(of sample: Sample) -> ArraySlice<Double> {
    let rows = rows
    guard let row = Self.place(of: sample.sequence, in: rows) else { return [] }
    return rows.values[row * rows.width..<(row + 1) * rows.width]
  }

  /// Returns the values of the channels of bytes, in their order. Empty without such channels, and when the
  /// sample has no row.
  public func bytes(of sample: Sample) -> [ArraySlice<UInt8>] {
    let rows = rows
    guard let bytes = rows.bytes, let row = Self.place(of: sample.sequence, in: rows) else { return [] }
    return bytes.row(row)
  }

  /// Returns whether the sample has a row.
  public func hasRow(of sample: Sample) -> Bool { Self.place(of: sample.sequence, in: rows) != nil }

  /// Returns the same rows for samples with other sequence numbers.
  ///
  /// - Precondition: there is one sample for each row, in the order of the rows.
  public func numbered(as samples: [Sample]) -> WideValues {
    WideValues(width: width, samples: samples, values: values, bytes: bytes)
  }

  private static func place(of sequence: UInt64, in rows: Rows) -> Int? {
    // The sequence numbers of a defective device may descend.
    guard rows.isAscending else { return rows.sequences.firstIndex(of: sequence) }
    var (low, high) = (0, rows.sequences.count)
    while low < high {
      let middle = low + (high - low) / 2
      if rows.sequences[middle] < sequence { low = middle + 1 } else { high = middle }
    }
    return low < rows.sequences.count && rows.sequences[low] == sequence ? low : nil
  }
}

extension Sample {
  /// Returns the values in the order of the channels. The first four values always exist, with 0 for unused
  /// channels. The values of the sample's row in `wide` follow.
  ///
  /// - Parameter wide: the values of the batch for the channels after the fourth channel; nil for at most
  ///   four channels.
  public func values(with wide: WideValues?) -> [Double] {
    let inline = [first, second, third, fourth]
    return wide.map { inline + $0.row(of: self) } ?? inline
  }
}
