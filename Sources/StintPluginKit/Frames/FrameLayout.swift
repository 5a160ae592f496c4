/// The sizes that both sides of the boundary agree upon.
public enum FrameLayout {
  /// What this side speaks. A side of another major version is refused; a minor one only adds.
  public static let major: UInt16 = 1
  public static let minor: UInt16 = 1
  /// The first minor version in which a ring is offered.
  public static let minorWithRing: UInt16 = 1
  /// Kinds from here on are drafts: a side that does not know one passes over it.
  public static let firstDraft: UInt16 = 0x8000

  /// Length, kind, a reserved field, the sequence number.
  public static let headerSize = 16
  /// The header included.
  public static let largest = 65_536
  /// The bytes of one sample.
  public static let sampleSize = 48
  /// What precedes the samples in a batch.
  static let batchHeadSize = 16
  /// The most samples of one batch.
  public static let mostSamples = (largest - headerSize - batchHeadSize) / sampleSize
  /// The most bytes of one text.
  public static let longestText = 1_024
}
