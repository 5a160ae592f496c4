/// How much room a journal may take, all of its files together.
public struct JournalLimit: Hashable, Sendable {
  /// The least that can be asked for: 1 MiB.
  public static let least: Int64 = 1 << 20
  /// Into how many files the room is divided; the oldest is removed when a new one begins.
  public static let files = 4

  /// The bound in bytes.
  public let bytes: Int64

  /// Sets a bound.
  ///
  /// - Precondition: it is at least `least`.
  public init(bytes: Int64) {
    precondition(bytes >= Self.least, "a journal needs at least 1 MiB")
    self.bytes = bytes
  }

  /// The length at which a file is full and the next begins.
  public var fileBytes: Int64 { bytes / Int64(Self.files) }
}
