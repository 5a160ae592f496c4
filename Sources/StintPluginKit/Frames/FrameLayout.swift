/// The protocol versions and frame sizes that both sides share.
public enum FrameLayout {
  /// The major protocol version of this side. Both sides must have the same major version. A minor version
  /// only adds messages, or fields that a flag announces.
  public static let major: UInt16 = 1
  /// The minor protocol version of this side.
  public static let minor: UInt16 = 8
  /// The first minor version in which the host offers a ring.
  public static let minorWithRing: UInt16 = 1
  /// The first minor version with transfers; a radio or a carrier needs this version or a later version.
  public static let minorWithTransfers: UInt16 = 2
  /// The first minor version with values of attributes.
  public static let minorWithAttributes: UInt16 = 3
  /// The first minor version with batches of more than four channels.
  public static let minorWithWideBatches: UInt16 = 4
  /// The first minor version with several devices in one process.
  public static let minorWithSeveralDevices: UInt16 = 5
  /// The first minor version in which the host reads the facts of a source.
  public static let minorWithReadings: UInt16 = 6
  /// The first minor version in which an unavailable device counts as absent: it has no facts, is in its safe
  /// state, and gets no requests.
  public static let minorWithAbsence: UInt16 = 6
  /// The first minor version with families of facts.
  public static let minorWithFamilies: UInt16 = 7
  /// The first minor version with channels of bytes.
  public static let minorWithBytes: UInt16 = 8
  /// The maximum number of devices in one process.
  public static let maxDevices = 16
  /// The kind of the host's messages about one of several devices.
  package static let hostAddressKind: UInt16 = 18
  /// The kind of a plugin's messages about one of its several devices.
  package static let pluginAddressKind: UInt16 = 37
  /// The first kind number for draft messages. A side ignores drafts that it does not know.
  public static let firstDraft: UInt16 = 0x8000

  /// The size of a frame's header in bytes.
  public static let headerSize = 16
  /// The size of the largest frame in bytes, header included.
  public static let largest = 65_536
  /// The size of one sample in bytes.
  public static let sampleSize = 48
  /// The number of bytes before the samples in a batch.
  static let batchHeadSize = 16
  /// The maximum number of samples in one batch.
  public static let maxSamples = (largest - headerSize - batchHeadSize) / sampleSize
  /// The number of bytes before the samples in a batch of more than four channels.
  static let wideHeadSize = 20
  /// The number of bytes of an address, which precede the body of a message about one of several devices.
  package static let addressSize = 8
  /// Returns the maximum number of samples in one batch in which each sample has `4 + width` values.
  ///
  /// - Parameters:
  ///   - width: the number of values after the fourth value.
  ///   - bytes: the largest size of the values of bytes in a sample, each with one byte for its length.
  public static func maxSamples(width: Int, bytes: Int = 0) -> Int {
    let head = headerSize + (width + bytes == 0 ? batchHeadSize : wideHeadSize)
    return (largest - head) / (sampleSize + 8 * width + bytes)
  }
  /// Returns the maximum number of samples in one batch of a process with several devices.
  static func maxAddressedSamples(width: Int, bytes: Int = 0) -> Int {
    let head = headerSize + addressSize + (width + bytes == 0 ? batchHeadSize : wideHeadSize)
    return (largest - head) / (sampleSize + 8 * width + bytes)
  }
  /// The maximum length of a string in bytes.
  public static let longestText = 1_024
}
