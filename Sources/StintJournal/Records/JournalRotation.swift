/// Decides when a journal with a size limit begins its next file, and how many bytes of earlier files remain.
///
/// Each file begins with the records that a reader needs when it does not have the earlier files: the
/// policies and the state. Large policies can take more bytes than `JournalLimit.fileBytes`. So each file
/// also receives at least `fileBytes` / 2 bytes of new records; otherwise every record would begin another
/// file.
public struct JournalRotation: Hashable, Sendable {
  /// The limit of the journal; nil for no limit.
  public let limit: JournalLimit?
  /// The length of the records that the owner has repeated at the start of the current file, in bytes.
  var repeated: Int64 = 0
  /// A lower bound for the number of bytes that the next file repeats: the policies and their image.
  public var expected: Int64 = 0

  init(_ limit: JournalLimit?) { self.limit = limit }

  /// Returns whether the next file must begin when the current file has this length. Always false without a
  /// limit.
  func isDue(at length: Int64) -> Bool {
    guard let limit else { return false }
    return length >= limit.fileBytes * 7 / 8 && length - repeated >= limit.fileBytes / 2
  }

  /// The number of bytes by which the journal exceeds its limit; 0 within the limit. A value above 0 means
  /// that the repeated records of one file are too large.
  public var excess: Int64 { limit.map { max(0, repeated + $0.fileBytes / 2 - $0.bytes) } ?? 0 }

  /// Returns the number of bytes that may remain in archived files when the next file begins; nil without a
  /// limit.
  ///
  /// - Parameter pending: the number of bytes that are still to be written to the current file.
  func archiveBytes(pending: Int64) -> Int64? {
    guard let limit else { return nil }
    let next = max(limit.fileBytes, max(repeated, expected) + limit.fileBytes / 2)
    return max(0, limit.bytes - next - pending)
  }
}
