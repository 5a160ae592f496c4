/// The maximum total size of a journal with all its files.
public struct JournalLimit: Hashable, Sendable {
  /// The smallest possible limit in bytes: 1 MiB.
  public static let least: Int64 = 1 << 20
  /// The number of files among which the size is divided. A new file replaces the oldest.
  public static let files = 4

  /// The maximum size of all files together, in bytes.
  public let bytes: Int64

  /// Creates a limit.
  ///
  /// - Precondition: `bytes` is at least `least`.
  public init(bytes: Int64) {
    precondition(bytes >= Self.least, "the limit of a journal must be at least 1 MiB")
    self.bytes = bytes
  }

  /// The size of one file in bytes.
  public var fileBytes: Int64 { bytes / Int64(Self.files) }
}
