/// The state of a journal's end.
public enum JournalEnding: Hashable, Sendable {
  /// The reader has not reached the end.
  case unread
  /// The journal ends after a complete record, or has no records.
  case whole
  /// The journal ends within the record that begins at this byte, because its writer was interrupted. All
  /// earlier records are complete.
  case torn(atOffset: Int64)
}
